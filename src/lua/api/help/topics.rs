//! What `agent.help` says of things that are neither tools nor functions: the points of hooks, the names of policies.
//!
//! It is made from the tables that the program itself obeys.

use crate::layers::PolicyName;
use crate::tool::Point;

/// All about `hooks`, `policies`, one point or one policy; nothing for any other name.
pub(super) fn topic(name: &str) -> Option<String> {
    let points = Point::ALL.into_iter();
    match name {
        "hooks" => {
            let lines: String = points.map(|(_, point)| of_point(point)).collect();
            Some(format!(
                "agent.on(point, function(event) … end) registers a hook. The points:\n\n{lines}"
            ))
        }
        "policies" => Some(PolicyName::ALL.into_iter().map(of_policy).collect()),
        _ => {
            let mut points = points.filter(|(own, _)| *own == name);
            let point = points.next().map(|(_, point)| of_point(point));
            point.or_else(|| PolicyName::named(name).map(alone))
        }
    }
}

/// The names of all topics.
pub(super) fn names() -> Vec<&'static str> {
    let mut names = vec!["hooks", "policies"];
    names.extend(Point::ALL.map(|(name, _)| name));
    names.extend(PolicyName::ALL.map(PolicyName::as_str));
    names
}

fn of_point(point: Point) -> String {
    let powers = point.powers();
    format!(
        "{}\n    {}; {}\n",
        point.as_str(),
        powers.changes(point),
        powers.returns(point)
    )
}

/// A policy that was asked for by its name: of that with the most in it also the fields.
fn alone(policy: PolicyName) -> String {
    match policy {
        PolicyName::Permissions => of_policy(policy) + PERMISSIONS,
        policy => of_policy(policy),
    }
}

const PERMISSIONS: &str = "
return { mode = \"default\", preset = \"strict\", rules = { … }, cases = { … }, classifier = function(call) … end }

rules: { name, pattern, action, reason = \"…\" }, or { name, action }
    name      a tool, a group (read, edit, shell, network, …) or SURFACE.EFFECT
    pattern   `*` is any run of characters, `?` one; \"git push *\" has any arguments or none
    action    \"allow\", \"ask\", \"deny\", or function(call) → action?, reason?
call: tool surface effect caller profile session
    args      the arguments, with their defaults
    paths     { path, real, group, inside, removed }, …
    commands  { text, argv, reads }, …
    names     { group, text }, …
    additions, deletions   lines, where a change to files is known before
cases: { tool, subject, verdict, files = { [\"a.txt\"] = \"text\" }, profile = \"name\" }
    subject   the command, the path, or a table of arguments; `agent test` runs them
classifier: judges in the mode `auto` what no rule settles; gets what a rule's function gets, without arguments
    returns   action, reason, \"low\", \"medium\" or \"high\"
";

fn of_policy(policy: PolicyName) -> String {
    let about = match policy {
        PolicyName::Permissions => "rules: what is allowed, asked about, denied",
        PolicyName::Truncation => "how much of a result a model gets, by tool",
        PolicyName::Replacers => "how the text is found that is to be edited",
        PolicyName::Models => "model providers, and the model that is used",
        PolicyName::Agents => "profiles: a prompt, a model, tools and rules under a name",
        PolicyName::Surfaces => "groups of tools, their limits, and whether they are there",
        PolicyName::Redaction => "what never reaches a model",
    };
    let name = policy.as_str();
    format!("{name}\n    a policy, tools/{name}.lua of your configuration folder: {about}\n")
}
