//! Tool files: every `*.lua` of a folder, in the order of their names.
//!
//! A file returns a tool record, or a table of them. One that is wrong is reported and the others load.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Table, Value};

use super::current::Voice;
use super::state::State;
use super::tool;
use super::vm::Vm;
use super::{raise, script, short};
use crate::error::{Kind, ToolError};
use crate::layers::Layer;
use crate::permission::Effect;
use crate::schema::Parameters;
use crate::text::Keep;
use crate::tool::{Level, Origin, Scope, Spec, Tool as _, Unavailable};

/// What a folder gave.
#[derive(Clone, Debug, Default)]
pub struct ToolFiles {
    /// The tools that are there now, in order.
    pub loaded: Vec<Loaded>,
    /// The files that are not.
    pub problems: Vec<Problem>,
}

/// A tool that was loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its id.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Where the tool of the same id comes from that it took the place of.
    pub shadows: Option<Origin>,
}

/// A file, or a tool in it, that did not load.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// Where in it: `tools/hello.lua:3`, if that is known.
    pub position: Option<String>,
    /// What is wrong.
    pub error: ToolError,
}

impl Vm {
    /// Loads the tool files of `folder`, which messages call `shown`, and registers what they return.
    ///
    /// # Errors
    /// What the system says of the folder; `cancelled`.
    pub async fn load_tools(
        &self,
        scope: &Scope,
        folder: PathBuf,
        shown: &str,
    ) -> Result<ToolFiles, ToolError> {
        let name = shown.to_owned();
        let runtime = &self.shared().settings.runtime;
        let reading = runtime.spawn_blocking(move || files(&folder, &name));
        let files = reading
            .await
            .map_err(|error| ToolError::internal(error.to_string()))??;
        let voice = Voice::Log(shown.to_owned());
        self.job(scope, voice, move |state| async move {
            let mut report = ToolFiles::default();
            for file in files {
                load(&state, file, &mut report).await?;
            }
            Ok(report)
        })
        .await
    }
}

/// One file as it was read.
struct File {
    /// Its name without `.lua`.
    stem: String,
    shown: String,
    text: Result<Vec<u8>, ToolError>,
}

fn files(folder: &Path, shown: &str) -> Result<Vec<File>, ToolError> {
    let failed = |error: std::io::Error| ToolError::from_io(&error, "read the tools in", shown);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "lua") && path.is_file() {
            names.push(path);
        }
    }
    names.sort();
    let files = names.into_iter().map(|path| {
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let shown = format!("{}/{stem}.lua", shown.trim_end_matches('/'));
        let text = fs::read(&path).map_err(|error| ToolError::from_io(&error, "read", &shown));
        File { stem, shown, text }
    });
    Ok(files.collect())
}

async fn load(state: &Rc<State>, file: File, report: &mut ToolFiles) -> Result<(), ToolError> {
    let returned = match evaluate(state, &file).await {
        Ok(returned) => returned,
        Err(problem) if problem.error.kind == Kind::Cancelled => return Err(problem.error),
        Err(problem) => return disable(state, &file, file.stem.clone(), problem, report),
    };
    if returned.is_nil() {
        let line = format!("{}: returns nothing, so it gives no tool", file.shown);
        state.host.services.sink.log(Level::Debug, line);
        return Ok(());
    }
    for (id, record) in records(&file, returned, report) {
        let origin = Origin::File(Layer::CommandLine, file.shown.clone());
        match tool::read(&state.lua, &state.host, &record, Some(&id), origin).await {
            Ok(tool) => {
                let id = tool.id().to_owned();
                let shadows = tool::register(&state.host, tool)?;
                let file = file.shown.clone();
                report.loaded.push(Loaded { id, file, shadows });
            }
            Err(error) => {
                let file_name = file.shown.clone();
                let problem = Problem {
                    file: file_name,
                    position: None,
                    error,
                };
                disable(state, &file, id, problem, report)?;
            }
        }
    }
    Ok(())
}

/// Puts a tool that only says why it is disabled in the place of the one that did not load.
fn disable(
    state: &Rc<State>,
    file: &File,
    id: String,
    problem: Problem,
    report: &mut ToolFiles,
) -> Result<(), ToolError> {
    let place = problem.position.as_ref().unwrap_or(&problem.file);
    let why = format!("{place}: {}", problem.error);
    let spec = Spec {
        id,
        surface: "disabled".to_owned(),
        effect: Effect::Write,
        description: format!("Disabled: {why}"),
        parameters: Parameters::default(),
        parameter_aliases: Vec::new(),
        keep: Keep::Head,
        timeout: None,
        fields: &[],
        examples: Vec::new(),
        display_name: None,
        hint: None,
        origin: Origin::File(Layer::CommandLine, file.shown.clone()),
    };
    report.problems.push(problem);
    let tool = Arc::new(Unavailable::new(spec, why));
    state
        .host
        .door()?
        .update(|generation| generation.tools.insert(tool));
    Ok(())
}

/// What the file returns.
async fn evaluate(state: &Rc<State>, file: &File) -> Result<Value, Problem> {
    let problem = |error, position| Problem {
        file: file.shown.clone(),
        position,
        error,
    };
    let text = file
        .text
        .as_ref()
        .map_err(|error| problem(error.clone(), None))?;
    let function = script::compile(&state.lua, &file.shown, &script::without_shebang(text));
    let called = match function {
        Ok(function) => state.call(&function, ()).await,
        Err(error) => Err(raise::caught(&state.lua, &error)),
    };
    let mut values = called.map_err(|caught| problem(caught.error, caught.position))?;
    Ok(values.pop_front().unwrap_or_default())
}

/// The records in what a file returned, by the ids they have where they name none.
fn records(file: &File, returned: Value, report: &mut ToolFiles) -> Vec<(String, Table)> {
    let mut wrong = |message: String| {
        let hint =
            "return { description =, parameters =, effect =, execute = function(args, ctx) … end }";
        report.problems.push(Problem {
            file: file.shown.clone(),
            position: None,
            error: ToolError::argument(message).with_hint(hint),
        });
    };
    let Value::Table(table) = returned else {
        wrong(format!(
            "the file returns {}, not a tool",
            short::shape(&returned)
        ));
        return Vec::new();
    };
    if has(&table, "execute") {
        return vec![(file.stem.clone(), table)];
    }
    let mut records = Vec::new();
    let mut missing = table.is_empty();
    for pair in table.pairs::<Value, Value>() {
        match pair {
            Ok((Value::String(key), Value::Table(record))) if has(&record, "execute") => {
                let key = key.to_string_lossy();
                let id = match key.as_str() {
                    "default" => file.stem.clone(),
                    key => format!("{}_{key}", file.stem),
                };
                records.push((id, record));
            }
            Ok((key, _)) => {
                let key = key.to_string().unwrap_or_default();
                match FIELDS.contains(&key.as_str()) {
                    true => missing = true,
                    false => wrong(format!("`{key}` is no tool: it has no `execute`")),
                }
            }
            Err(error) => wrong(error.to_string()),
        }
    }
    if missing {
        wrong("the table that the file returns has no `execute`".to_owned());
    }
    records.sort_by(|(a, _), (b, _)| a.cmp(b));
    records
}

/// Fields that only a tool record has: a table with one of them is meant as one.
const FIELDS: [&str; 5] = ["id", "description", "parameters", "effect", "surface"];

fn has(table: &Table, field: &str) -> bool {
    table
        .raw_get(field)
        .is_ok_and(|value: Value| !value.is_nil())
}
