//! What holds below a model's call: a program of ours there acts for the model, under the rules of its caller,
//! and takes no word that would grant more.
//!
//! It reads the environment and asks nobody.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

use super::args::{Options, PROFILE};
use super::handed::{Handed, Place};
use super::mode::Chosen;
use crate::error::{Error, ToolError};
use crate::permission::{Action, Rule, Source};
use crate::process::{self, CALLER, HANDED};
use crate::tool::{Inherited, Scope, Terms};

/// Refuses what the words of a model, which are the command line of a program of ours below its call, must
/// not grant: the parent's rules and files hold there, and no others.
pub(super) fn refuse_grants(
    options: &Options,
    env: &BTreeMap<OsString, OsString>,
) -> Result<(), Error> {
    let below = is_below(env);
    let grants = [
        ("--allow", !options.allow.is_empty()),
        ("--tools", !options.tools.is_empty()),
        ("--no-config", options.no_config),
        ("--untrusted=ignore", options.untrusted.is_some()),
    ];
    let mut grants = grants.into_iter();
    match grants.find(|(_, is_given)| below && *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Error::usage(
            format!(
                "{option} is not taken below a model's call: it would grant what the caller has not"
            ),
            "leave it out; what holds for the caller holds here",
        )),
    }
}

/// Whether this program was started by what runs for a model, so that its words are the model's.
pub(super) fn is_below(env: &BTreeMap<OsString, OsString>) -> bool {
    let told = env.get(OsStr::new(CALLER));
    told.is_some_and(|who| who == "model") || process::is_below_model()
}

/// What holds here of what was said where this program was started, and what those below it are told.
pub(super) struct Below {
    /// What was said of the mode.
    pub(super) mode: Chosen,
    /// The rules of the environment, the caller's and this program's own.
    pub(super) rules: Vec<Rule>,
    /// The variables that a model's command gets.
    pub(super) inherited: Inherited,
    /// What was laid down for the model that the caller of this program acts for.
    terms: Option<Terms>,
}

impl Below {
    /// Reads what was handed down, and lays it over `options`.
    ///
    /// # Errors
    /// Usage, where folders of ours are not those that were handed down; a variable that cannot be read.
    pub(super) fn enter(
        handed: Option<&Handed>,
        options: &mut Options,
        env: &BTreeMap<OsString, OsString>,
        place: &Place,
    ) -> Result<Below, Error> {
        if is_below(env) {
            keep_profile(options, env, handed)?;
        }
        let mut rules = rules_of_environment(env)?;
        if let Some(handed) = handed {
            handed.lay(options, &place.paths)?;
            rules.extend(tightening(handed.permission())?);
        }
        let mode = match is_below(env) {
            true => Chosen::below(options, env, handed.and_then(Handed::mode))?,
            false => Chosen::of(options, env)?,
        };
        let inherited = inherited(options, mode, env, place);
        let terms = handed.map(Handed::terms).transpose()?.flatten();
        Ok(Below {
            mode,
            rules,
            inherited,
            terms,
        })
    }

    /// What everything in this program runs under.
    ///
    /// # Errors
    /// None in a program that begins.
    pub(super) fn root(&self, options: &Options) -> Result<Scope, ToolError> {
        let root = Scope::root_under(options.caller(), options.profile.as_deref());
        match &self.terms {
            Some(terms) => root.on_terms(Arc::new(terms.clone())),
            None => Ok(root),
        }
    }
}

/// Puts the caller's profile in force, and refuses any other: it could have tools that the caller has not, and rules
/// that allow more.
fn keep_profile(
    options: &mut Options,
    env: &BTreeMap<OsString, OsString>,
    handed: Option<&Handed>,
) -> Result<(), Error> {
    let own = match handed {
        Some(handed) => handed.profile().map(str::to_owned),
        None => env
            .get(OsStr::new(PROFILE))
            .map(|name| name.to_string_lossy().into_owned()),
    };
    if options.profile.is_some() && options.profile != own {
        let holds = match &own {
            Some(own) => format!("the profile `{own}` of its caller holds"),
            None => "it would allow what the caller may not".to_owned(),
        };
        return Err(Error::usage(
            format!("--profile is not taken below a model's call: {holds}"),
            "leave it out, and AGENT_PROFILE too; what holds for the caller holds here",
        ));
    }
    options.profile = own.filter(|name| !name.is_empty());
    Ok(())
}

/// What a program of ours below a model's call is told: that it acts for a model, under the same denials, with
/// the same folders of its own.
fn inherited(
    options: &Options,
    mode: Chosen,
    env: &BTreeMap<OsString, OsString>,
    place: &Place,
) -> Inherited {
    let mut inherited = vec![(CALLER.into(), "model".into())];
    if !options.deny.is_empty() {
        inherited.push(("AGENT_DENY".into(), options.deny.join("\n").into()));
    }
    let profile = options.profile.as_ref();
    inherited.extend(profile.map(|name| (PROFILE.into(), name.into())));
    let rules = env.get(OsStr::new(PERMISSION));
    inherited.extend(rules.map(|rules| (PERMISSION.into(), rules.clone())));
    let paths = &place.paths;
    inherited.push(("AGENT_CONFIG_DIR".into(), paths.config.clone().into()));
    inherited.push(("AGENT_STATE_DIR".into(), paths.state.clone().into()));
    let handed = Handed::on(options, mode.named(), env, place);
    Arc::new(move |scope: &Scope| {
        let terms = scope.terms();
        let handed = handed.sealed(terms.map_or(&[], |terms| terms.words()));
        let handed = handed.map(|handed| (HANDED.into(), handed));
        inherited.iter().cloned().chain(handed).collect()
    })
}

/// The variable that holds rules, one a line, such as `deny edit:secret/**`.
pub(super) const PERMISSION: &str = "AGENT_PERMISSION";

/// The rules of the environment, which only tighten.
fn rules_of_environment(env: &BTreeMap<OsString, OsString>) -> Result<Vec<Rule>, Error> {
    let Some(text) = env.get(OsStr::new(PERMISSION)) else {
        return Ok(Vec::new());
    };
    tightening(&text.to_string_lossy())
}

fn tightening(text: &str) -> Result<Vec<Rule>, Error> {
    let rule = |line: &str| {
        let (action, rule) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match action.parse() {
            Ok(action @ (Action::Ask | Action::Deny)) => {
                Rule::parse(rule.trim(), action, Source::Environment)
            }
            _ => Err(Error::usage(
                format!("{PERMISSION}: {line:?} is no rule that tightens"),
                "write `deny RULE` or `ask RULE`, one a line",
            )),
        }
    };
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(rule)
        .collect()
}
