//! stub
#![allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caller {
    User,
    Model,
}
impl Caller {
    pub fn as_str(self) -> &'static str {
        match self {
            Caller::User => "user",
            Caller::Model => "model",
        }
    }
}
impl serde::Serialize for Caller {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    Read,
    #[default]
    Write,
    Run,
    Network,
}
impl Effect {
    pub fn as_str(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::Run => "run",
            Effect::Network => "network",
        }
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Allow,
    Ask,
    Deny,
}
impl Action {
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Allow => "allow",
            Action::Ask => "ask",
            Action::Deny => "deny",
        }
    }
}
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    pub group: String,
    pub text: String,
    pub real: Option<String>,
    pub inside: bool,
    pub named: bool,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub source: Source,
    pub rule: String,
    pub action: Action,
}
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub action: Action,
    pub reason: String,
    pub trace: Vec<Step>,
}
impl Verdict {
    pub fn tighten(&mut self, action: Action, reason: &str, source: &str) {
        if action > self.action {
            self.action = action;
            self.reason = format!("{reason} ({source})");
        }
    }
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    GlobalDefault,
    CommandLine,
}
impl Source {
    pub fn as_str(self) -> &'static str {
        "default"
    }
}
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub name: String,
    pub pattern: Option<String>,
    pub action: Action,
    pub source: Source,
    pub reason: Option<String>,
}
pub struct Request<'a> {
    pub tool: &'a str,
    pub surface: &'a str,
    pub effect: Effect,
    pub caller: Caller,
    pub subjects: &'a [Subject],
    pub restricted: bool,
}
pub fn judge(request: &Request<'_>, rules: &[Rule]) -> Verdict {
    let _ = (request, rules);
    Verdict {
        action: Action::Allow,
        reason: String::new(),
        trace: vec![],
    }
}
