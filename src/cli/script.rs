//! `agent script FILE [ARGS…]`: a Lua file with the tools at hand, for a person.
//!
//! A bare name is looked up among the person's scripts, then among the shipped ones, never in the
//! current folder: what happens to lie there must not run by its name.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::Path;

use super::args::Options;
use super::session::Session;
use super::{ended, start};
use crate::error::{Error, Exit, ToolError};
use crate::lua::Chunk;
use crate::permission::Caller;
use crate::text::{nearest, suggestion};

/// The shipped scripts by name.
const SHIPPED: [(&str, &str); 1] = [("rename", include_str!("../../scripts/rename.lua"))];

/// Runs the script that the first word names; the other words are its own.
///
/// # Errors
/// Usage and configuration; a script that fails is told of here and returned as its exit code.
pub(super) fn run(options: Options, words: Vec<OsString>) -> Result<Exit, Error> {
    if options.caller() == Caller::Model {
        return Err(Error::usage(
            "a script runs for a person, never as a model",
            "leave out `--as model`, or make single calls with `agent call --as model`",
        ));
    }
    let mut words = words.into_iter().map(as_text);
    let file = words.next().transpose()?.unwrap_or_default();
    let args = words.collect::<Result<Vec<String>, Error>>()?;
    let session = start(options, args.clone())?;
    let source = find(&file, &session)?;
    session.run(Some("script"), None, async |session| {
        let chunk = Chunk {
            name: file,
            source,
            args: args.into_iter().map(OsString::from).collect(),
        };
        let ended = session.vm().script(&session.scope()?, chunk).await;
        ended::script(&session.answer, ended, session.asking.left_over())
    })
}

fn as_text(word: OsString) -> Result<String, Error> {
    word.into_string().map_err(|word| {
        let shown = word.to_string_lossy().into_owned();
        Error::usage(
            format!("the word {shown:?} is not UTF-8"),
            "rename the file, or pass text",
        )
    })
}

fn find(file: &str, session: &Session) -> Result<Vec<u8>, Error> {
    if file == "-" {
        let mut source = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut source);
        read.map_err(|error| ToolError::from_io(&error, "read", "stdin"))?;
        return Ok(source);
    }
    if file.starts_with('-') {
        return Err(Error::usage(
            format!("there is no option `{file}`, and no FILE was named"),
            "see `agent script --help`; a file of this name is run as `./FILE`",
        ));
    }
    match file.contains('/') || file.ends_with(".lua") {
        true => read(Path::new(file), file),
        false => by_name(file, session),
    }
}

fn by_name(name: &str, session: &Session) -> Result<Vec<u8>, Error> {
    let folder = session.paths.config.join("scripts");
    let own = folder.join(format!("{name}.lua"));
    if !session.options.no_config && own.is_file() {
        return read(&own, name);
    }
    if let Some((_, source)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
        return Ok(source.as_bytes().to_vec());
    }
    let config = (!session.options.no_config).then_some(&*session.paths.config);
    let known = names(config);
    let message = format!("there is no script `{name}`");
    Err(Error::usage(message, way_out(name, &known)))
}

/// The scripts that are run by a bare name: the shipped ones, and those in the folder of the configuration.
pub(super) fn names(config: Option<&Path>) -> Vec<String> {
    let mut names = SHIPPED.map(|(name, _)| name.to_owned()).to_vec();
    names.extend(
        config
            .into_iter()
            .flat_map(|config| names_in(&config.join("scripts"))),
    );
    names
}

/// What may have been meant by a bare name: a file that lies here, or a script of nearly this name.
fn way_out(name: &str, known: &[String]) -> String {
    if Path::new(name).is_file() {
        return format!("a file in this folder is run as `./{name}`");
    }
    let file = format!("{name}.lua");
    if Path::new(&file).is_file() {
        return format!("did you mean `{file}`?");
    }
    let near = suggestion(name, known.iter().map(String::as_str));
    match near.is_empty() {
        true if known.is_empty() => "name a Lua file".to_owned(),
        true => format!("name a Lua file, or one of {}", known.join(", ")),
        false => near,
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names
        .filter_map(|name| name.strip_suffix(".lua").map(str::to_owned))
        .collect()
}

fn read(path: &Path, shown: &str) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| {
        let failed = ToolError::from_io(&error, "read the script", shown);
        let near = nearest_beside(path);
        let hint = near.map(|near| format!("did you mean `{near}`?"));
        Error::usage(failed.message, hint.unwrap_or("name a Lua file".to_owned()))
    })
}

/// The Lua file of nearly this name in the same folder, as it would be typed.
fn nearest_beside(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    let here = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let names = names_in(here);
    let stem = path.file_stem()?.to_str()?;
    let near = nearest(stem, names.iter().map(String::as_str))?;
    Some(folder.join(format!("{near}.lua")).display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_of_the_folder_is_shipped() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
        let mut names = names_in(&folder);
        names.sort();
        assert_eq!(names, SHIPPED.map(|(name, _)| name));
    }
}
