//! The globs of rules. Time is at most the length of the pattern times the length of the text.
//!
//! `*` is any run of characters, `/` among them; `?` is one character; everything else is itself,
//! and both ends are anchored. Three forms also match nothing: a ` *` at the end (`git *` matches
//! `git`, not `gitk`), a `/**` at the end (`src/**` matches `src`), and a `**/` between folders or at
//! the start (`a/**/b` matches `a/b`). A `./` at the start is dropped. `~` and `$HOME`, alone or
//! before a `/`, are the home folder. Nothing can be escaped.

/// True when the whole of `text` is matched by `pattern`. `home` is what a leading `~` or `$HOME`
/// stands for; when it is empty they stand for themselves.
pub(super) fn matches(pattern: &str, text: &str, home: &str) -> bool {
    let (start, rest) = expand(pattern, home);
    let Some(left) = text.strip_prefix(start) else {
        return false;
    };
    match simple(rest, left, !start.is_empty()) {
        Some(answer) => answer,
        None => Glob::new(pattern, home).matches(text),
    }
}

/// The same for a command: a program that is called by `./` is no other one.
pub(super) fn is_command(pattern: &str, line: &str, home: &str) -> bool {
    match (pattern.strip_prefix("./"), line.strip_prefix("./")) {
        (Some(pattern), Some(line)) => matches(pattern, line, ""),
        (Some(_), None) => false,
        (None, _) => matches(pattern, line, home),
    }
}

/// The answer for the patterns that people mostly write, without making anything ready: no wildcard at all,
/// or one at the end. `continues` says that something stands before the pattern.
fn simple(pattern: &str, text: &str, continues: bool) -> Option<bool> {
    let is_literal = |part: &str| !part.contains(['*', '?']);
    if is_literal(pattern) {
        return Some(text == pattern);
    }
    for (end, divider) in [("/**", '/'), (" *", ' ')] {
        if let Some(part) = pattern.strip_suffix(end)
            && is_literal(part)
            && (continues || !part.is_empty())
        {
            let rest = text.strip_prefix(part);
            return Some(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(divider)));
        }
    }
    let part = pattern.strip_suffix('*').filter(|part| is_literal(part))?;
    Some(text.starts_with(part))
}

/// What stands at the start of the pattern literally, and the rest of it.
fn expand<'a>(pattern: &'a str, home: &'a str) -> (&'a str, &'a str) {
    let home = home.trim_end_matches('/');
    let rest = ["~", "$HOME"]
        .iter()
        .find_map(|sign| pattern.strip_prefix(sign));
    match rest {
        Some(rest) if !home.is_empty() && (rest.is_empty() || rest.starts_with('/')) => {
            (home, rest)
        }
        _ => ("", pattern.strip_prefix("./").unwrap_or(pattern)),
    }
}

/// Where a pattern without wildcards leads, as an absolute path.
pub(super) fn placed(pattern: &str, workspace: &str, home: &str) -> String {
    match expand(pattern, home) {
        ("", rest) if rest.starts_with('/') => rest.to_owned(),
        ("", rest) => format!("{workspace}/{rest}"),
        (home, rest) => format!("{home}{rest}"),
    }
}

/// A pattern made ready, to be matched often, or walked over a text from as many starts as one likes at once.
#[derive(Clone, Debug)]
pub struct Glob {
    steps: Vec<Step>,
}

/// One place in a pattern: what it consumes, and where one may go on without consuming it.
#[derive(Clone, Debug)]
struct Step {
    token: Token,
    skip: Option<usize>,
}

#[derive(Clone, Debug)]
enum Token {
    Exactly(char),
    One,
    Run,
    /// Consumes nothing: leads to the next place, and to where the step skips to.
    Fork,
}

impl Glob {
    /// `pattern`, in which a leading `~` or `$HOME` stands for `home`; where that is empty, for itself.
    pub fn new(pattern: &str, home: &str) -> Glob {
        let (start, rest) = expand(pattern, home);
        let mut steps: Vec<Step> = start.chars().map(exactly).collect();
        let offset = steps.len();
        let chars: Vec<char> = rest.chars().collect();
        for i in 0..chars.len() {
            let skip = skip(&chars, i, offset > 0).map(|to| to + offset);
            let token = match chars[i] {
                '*' if skip.is_some() => Token::Fork,
                '*' => Token::Run,
                '?' => Token::One,
                c => Token::Exactly(c),
            };
            steps.push(Step { token, skip });
        }
        Glob { steps }
    }

    /// True when the whole of `text` is matched.
    pub fn matches(&self, text: &str) -> bool {
        let mut places = self.nowhere();
        places.start();
        text.chars().all(|c| places.step(c)) && places.accepts()
    }

    /// True when something could be matched that begins with `start` and goes on.
    pub(super) fn could_go_on(&self, start: &str) -> bool {
        let mut places = self.nowhere();
        places.start();
        start.chars().all(|c| places.step(c)) && places.is_under_way()
    }

    /// The walk before its first start.
    pub(super) fn nowhere(&self) -> Places<'_> {
        Places {
            steps: &self.steps,
            here: vec![false; self.steps.len() + 1],
            next: vec![false; self.steps.len() + 1],
        }
    }
}

fn exactly(c: char) -> Step {
    Step {
        token: Token::Exactly(c),
        skip: None,
    }
}

/// Where one may go on from place `i` of a pattern without consuming anything.
fn skip(chars: &[char], i: usize, continues: bool) -> Option<usize> {
    let at_folder = match i {
        0 => !continues,
        i => chars[i - 1] == '/',
    };
    match &chars[i..] {
        [' ', '*'] | ['/', '*', '*'] if i > 0 || continues => Some(chars.len()),
        ['*', '*', '/', ..] if at_folder => Some(i + 3),
        _ => None,
    }
}

/// All the places of a pattern that a walk could be in.
#[derive(Clone)]
pub(super) struct Places<'a> {
    steps: &'a [Step],
    here: Vec<bool>,
    next: Vec<bool>,
}

impl Places<'_> {
    /// Lets the pattern begin here, beside what is already under way.
    pub(super) fn start(&mut self) {
        self.here[0] = true;
        self.settle();
    }

    /// Consumes one character; false when nothing is under way any more.
    pub(super) fn step(&mut self, c: char) -> bool {
        self.next.fill(false);
        let mut alive = false;
        for (i, step) in self.steps.iter().enumerate() {
            if !self.here[i] {
                continue;
            }
            let to = match step.token {
                Token::Run => i,
                Token::One => i + 1,
                Token::Exactly(wanted) if wanted == c => i + 1,
                Token::Exactly(_) | Token::Fork => continue,
            };
            self.next[to] = true;
            alive = true;
        }
        std::mem::swap(&mut self.here, &mut self.next);
        if alive {
            self.settle();
        }
        alive
    }

    /// Consumes any text at all. A pattern that has not got past a name yet stays where it is.
    pub(super) fn anything(&mut self) {
        let is_name = |step: &Step| matches!(step.token, Token::Exactly(c) if c != ' ');
        let name = self.steps.iter().take_while(|step| is_name(step)).count();
        let first = self.here.iter().skip(name.max(1)).position(|here| *here);
        if let Some(first) = first.filter(|_| name > 0) {
            self.here[name.max(1) + first..].fill(true);
        }
    }

    /// Adds every place of `other`, a walk of the same pattern.
    pub(super) fn merge(&mut self, other: &Places<'_>) {
        for (here, there) in self.here.iter_mut().zip(&other.here) {
            *here |= there;
        }
    }

    /// True when the pattern could consume more.
    fn is_under_way(&self) -> bool {
        self.here[..self.steps.len()].contains(&true)
    }

    /// True when the pattern could end here.
    pub(super) fn accepts(&self) -> bool {
        self.here[self.steps.len()]
    }

    /// Adds the places that are reached without consuming anything. They only lie ahead.
    fn settle(&mut self) {
        for (i, step) in self.steps.iter().enumerate() {
            if !self.here[i] {
                continue;
            }
            if matches!(step.token, Token::Run | Token::Fork) {
                self.here[i + 1] = true;
            }
            if let Some(to) = step.skip {
                self.here[to] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests;
