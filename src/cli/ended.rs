//! How a piece of Lua ended, told to whoever ran it: its values, its exit code, or its failure.
//!
//! A failure says where in the person's own code it happened; never a stack trace.

use serde_json::{Value, json};

use super::answer::{Answer, as_value};
use crate::error::{Error, Exit, ToolError};
use crate::lua::{Ended, Shown, Uncaught};

/// The end of a script: its return value shows only in a document. `left_over` is what a scripted model still had to
/// say, which fails a script that would have done well.
///
/// # Errors
/// That; cancellation, which the session words by its cause.
pub(super) fn script(
    answer: &Answer,
    ended: Result<Ended, Uncaught>,
    left_over: Option<ToolError>,
) -> Result<Exit, Error> {
    tell(answer, ended, left_over, false)
}

/// The end of a piece of code: its values are the answer. `left_over` as for a script.
///
/// # Errors
/// That; cancellation, which the session words by its cause.
pub(super) fn eval(
    answer: &Answer,
    ended: Result<Ended, Uncaught>,
    left_over: Option<ToolError>,
) -> Result<Exit, Error> {
    tell(answer, ended, left_over, true)
}

fn tell(
    answer: &Answer,
    ended: Result<Ended, Uncaught>,
    left_over: Option<ToolError>,
    shows_values: bool,
) -> Result<Exit, Error> {
    let is_well = matches!(ended, Ok(Ended::Returned(_) | Ended::Exit(0, _)));
    if let Some(left_over) = left_over.filter(|_| is_well) {
        return Err(left_over.into());
    }
    match ended {
        Ok(Ended::Returned(values)) if answer.is_machine() => document(answer, values),
        Ok(Ended::Returned(values)) => {
            if shows_values && !values.is_empty() {
                let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
                answer.text(&texts.join("\t"));
            }
            Ok(Exit::Done)
        }
        Ok(Ended::Exit(code, words)) => Ok(exit(answer, code, &words)),
        Err(uncaught) => failure(answer, uncaught),
    }
}

fn document(answer: &Answer, values: Vec<Shown>) -> Result<Exit, Error> {
    let mut data = values
        .into_iter()
        .map(|value| value.data)
        .collect::<Result<Vec<_>, _>>()?;
    let value = match data.len() {
        0 => json!(null),
        1 => json!(data.remove(0)),
        _ => json!(data),
    };
    answer.document(json!({ "ok": true, "value": value }));
    Ok(Exit::Done)
}

fn exit(answer: &Answer, code: i32, words: &str) -> Exit {
    let exit = match code {
        0 => Exit::Done,
        code => Exit::Script((code & 0xff) as u8),
    };
    let words = words.trim_end();
    match (answer.is_machine(), code) {
        (true, 0) => answer.document(json!({ "ok": true, "exit": 0, "text": words })),
        (true, _) if words.is_empty() => {
            answer.document(json!({ "ok": false, "exit": code, "text": "" }));
        }
        (true, _) => {
            let error = as_value(&wrong_usage(words));
            answer.document(json!({ "ok": false, "exit": code, "error": error }));
        }
        (false, 0) => answer.text(words),
        (false, _) if words.is_empty() => {}
        (false, _) => answer.complain(words),
    }
    exit
}

/// What a script that ended itself in words says: that it was called wrongly, and the way out.
fn wrong_usage(words: &str) -> ToolError {
    match words.split_once("\n  try: ") {
        Some((message, hint)) => ToolError::argument(message).with_hint(hint),
        None => ToolError::argument(words),
    }
}

fn failure(answer: &Answer, uncaught: Uncaught) -> Result<Exit, Error> {
    let exit = Exit::from(uncaught.error.kind);
    if exit == Exit::Interrupted {
        return Err(Error::from(uncaught));
    }
    if answer.is_machine() {
        let mut error = as_value(&uncaught.error);
        error["tool"] = uncaught.tool.map_or(Value::Null, Value::from);
        error["position"] = uncaught.position.map_or(Value::Null, Value::from);
        answer.document(json!({ "ok": false, "error": error }));
        return Ok(exit);
    }
    answer.complain_of(&uncaught.error, uncaught.position.as_deref());
    Ok(exit)
}
