//! A real folder with the shipped tools and the usual rules, and a script in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::rig::{Rig, chunk};
use crate::data::Data;
use crate::error::ToolError;
use crate::lua::{Chunk, Ended, Uncaught};
use crate::permission::Caller;

/// The rig, and the folder it works in.
pub(super) struct Shipped {
    pub(super) rig: Rig,
    folder: tempfile::TempDir,
}

impl Shipped {
    pub(super) fn new() -> Shipped {
        Shipped::for_caller(Caller::User)
    }

    pub(super) fn for_caller(caller: Caller) -> Shipped {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("work")).unwrap();
        std::fs::create_dir(root.join("state")).unwrap();
        let rig = Rig::at_with(caller, &root.join("work"), &root.join("state"));
        let tools = crate::tools::shipped();
        rig.door.update(|generation| {
            for tool in tools.iter() {
                generation.tools.insert(Arc::clone(tool));
            }
        });
        Shipped { rig, folder }
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        let root = self.folder.path().canonicalize().unwrap().join("work");
        match below {
            "" => root,
            below => root.join(below),
        }
    }

    pub(super) fn write(&self, below: &str, content: &[u8]) {
        let path = self.path(below);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        std::fs::write(path, content).unwrap();
    }

    pub(super) fn read(&self, below: &str) -> Vec<u8> {
        std::fs::read(self.path(below)).unwrap()
    }

    pub(super) fn script(&self, source: &str) -> Result<Ended, Uncaught> {
        self.rig.script(source)
    }

    /// What a script ends with that was started with these words.
    pub(super) fn ended_with(&self, source: &str, words: &[&str]) -> Result<Ended, Uncaught> {
        let chunk = Chunk {
            args: words.iter().map(Into::into).collect(),
            ..chunk(source)
        };
        self.rig.wait(self.rig.vm.script(&self.rig.scope, chunk))
    }

    /// The first value that such a script returns.
    pub(super) fn value_with(&self, source: &str, words: &[&str]) -> Data {
        match self.ended_with(source, words) {
            Ok(Ended::Returned(mut values)) if !values.is_empty() => values.remove(0).data.unwrap(),
            other => panic!("{source}: {other:?}"),
        }
    }

    pub(super) fn value(&self, source: &str) -> Data {
        self.rig.value(source)
    }

    pub(super) fn text(&self, source: &str) -> String {
        self.rig.text(source)
    }

    pub(super) fn error(&self, source: &str) -> ToolError {
        self.rig.error(source)
    }
}
