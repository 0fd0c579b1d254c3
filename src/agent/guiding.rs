//! The instruction files of the folders that a model comes to: each is shown with the first result from its folder, or
//! from below it, and again once a compaction has dropped it.
//!
//! Those of the folder that the session is in, and of those around it, stand before the conversation. None is shown that
//! a rule keeps from the model.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::system::guidance;
use super::talk::Acting;
use crate::chat::{Call, Message};
use crate::data::{self, Data};
use crate::files::{Entry, Files};
use crate::layers::{Guide, folders, guide};
use crate::permission::{Effect, Group, Subject};
use crate::store::Workspace;
use crate::tool::Gate as _;

/// The tools that come to a folder, by what they are given as its path.
const COMING: [&str; 5] = ["read", "list", "edit", "write", "hashline_edit"];

/// What that is called.
const PATHS: [&str; 4] = ["path", "filePath", "file_path", "file"];

/// How an instruction file begins where it is shown.
const SHOWN: &str = "<instructions file=\"";

/// The folders of one conversation whose files were shown, or are not there.
#[derive(Debug)]
pub(super) struct Guiding {
    workspace: Workspace,
    /// Those that stand before the conversation.
    before: BTreeSet<PathBuf>,
    known: Mutex<BTreeSet<PathBuf>>,
}

impl Guiding {
    /// For a conversation in the folder `cwd`, in which `messages` were said.
    pub(super) fn new(workspace: &Workspace, cwd: &Path, messages: &[Message]) -> Guiding {
        let before = folders(workspace, cwd).into_iter().collect();
        let guiding = Guiding {
            workspace: workspace.clone(),
            before,
            known: Mutex::default(),
        };
        guiding.shown_in(messages);
        guiding
    }

    /// Nothing but what stands in `messages` is known any more.
    pub(super) fn shown_in(&self, messages: &[Message]) {
        let results = messages.iter().flat_map(Message::answers);
        let names = results.flat_map(|result| result.text.split(SHOWN).skip(1));
        let folders = names.filter_map(|rest| {
            let (name, _) = rest.split_once("\">\n")?;
            Some(self.workspace.root.join(Path::new(name).parent()?))
        });
        let mut known = self.before.clone();
        known.extend(folders);
        *self.lock() = known;
    }

    /// What is shown with the result of `call`, which worked.
    pub(super) async fn show(self: Arc<Self>, call: &Call, acting: &Acting) -> Option<String> {
        let generation = acting.gate.generation();
        let tool = generation.tools.get(&call.tool)?;
        if !COMING.contains(&tool.id()) {
            return None;
        }
        let args = data::parse(call.arguments.as_str()).ok()?;
        let path = PATHS.iter().find_map(|name| args.get(name));
        let path = path.and_then(Data::as_str)?.to_owned();
        let services = acting.gate.services();
        let files = Arc::clone(&services.files);
        let surfaces = [generation.surface_of(&**tool), &tool.spec().surface];
        let policy = &generation.policy;
        let withholds = policy.withholds(&acting.scope, tool.id(), surfaces, Effect::Read);
        let work = move || {
            let mut guides = self.come_to(&path, &files);
            if let Some(withholds) = withholds {
                guides.retain(|guide| !withholds(&self.subject(guide)));
            }
            guides
        };
        let guides = tokio::task::spawn_blocking(work).await.ok()?;
        if guides.is_empty() {
            return None;
        }
        Some(acting.hide(guidance(&guides)))
    }

    /// The files on the way to `path` that were not shown yet. Reads the disk.
    fn come_to(&self, path: &str, files: &Files) -> Vec<Guide> {
        let Ok(place) = files.resolve(path) else {
            return Vec::new();
        };
        let folder = match place.entry {
            Entry::Folder => Some(place.real.as_path()),
            _ => place.real.parent(),
        };
        let way = folder.map(|folder| folders(&self.workspace, folder));
        let mut known = self.lock();
        let new = way
            .into_iter()
            .flatten()
            .filter(|folder| known.insert(folder.clone()));
        let new: Vec<PathBuf> = new.collect();
        drop(known);
        new.iter()
            .filter_map(|folder| guide(&self.workspace, folder))
            .collect()
    }

    fn subject(&self, guide: &Guide) -> Subject {
        let real = self.workspace.root.join(&guide.path);
        Subject::path(
            Group::Read,
            guide.path.as_str(),
            real.to_string_lossy(),
            true,
        )
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
