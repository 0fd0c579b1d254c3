//! After three failures of one tool in a row the model is told once more what the tool is called and what it takes.
//! What is said then stands in the result of the call that failed last.

use crate::tool::Generation;

/// How many failures in a row.
const MANY: usize = 3;

/// The failures so far.
#[derive(Debug, Default)]
pub(super) struct Failures {
    tool: String,
    many: usize,
}

impl Failures {
    /// Counts a result of the tool `tool`; what the model is to be reminded of, if it is time.
    pub(super) fn count(
        &mut self,
        tool: &str,
        has_failed: bool,
        generation: &Generation,
    ) -> Option<String> {
        if !has_failed {
            self.many = 0;
            return None;
        }
        if self.tool != tool {
            (self.tool, self.many) = (tool.to_owned(), 0);
        }
        self.many += 1;
        if self.many < MANY {
            return None;
        }
        self.many = 0;
        let tool = match generation.tools.find(tool) {
            Ok(tool) => tool,
            Err(error) => {
                return Some(format!(
                    "[{MANY} calls of `{tool}` failed. {}]",
                    error.hint()
                ));
            }
        };
        let spec = tool.spec();
        Some(format!(
            "[{MANY} calls of `{id}` failed in a row. It takes {id}{takes}. Look at what the errors say before the next one.]",
            id = spec.id,
            takes = spec.parameters.compact(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::gate::Rules;

    #[test]
    fn three_failures_of_one_tool_in_a_row_remind_once() {
        let generation = Generation::new(crate::tools::shipped(), Arc::new(Rules::default()));
        let mut failures = Failures::default();
        let mut said = Vec::new();
        for (tool, has_failed) in [
            ("edit", true),
            ("edit", true),
            ("read", true),
            ("edit", true),
            ("edit", true),
            ("edit", false),
            ("edit", true),
            ("edit", true),
            ("edit", true),
            ("edit", true),
            ("raed", true),
            ("raed", true),
            ("raed", true),
        ] {
            said.push(failures.count(tool, has_failed, &generation));
        }
        let at: Vec<usize> = (0..said.len()).filter(|at| said[*at].is_some()).collect();
        assert_eq!(at, [8, 12]);
        assert!(
            said[8].as_ref().unwrap().contains("edit(path: string"),
            "{said:?}"
        );
        assert!(
            said[12].as_ref().unwrap().contains("did you mean `read`?"),
            "{said:?}"
        );
    }
}
