//! What a yes is bound to: one hash of the exact thing that was asked about.
//!
//! In it is all that the person was shown and all that would run: the tool and its arguments, what rules saw, the
//! command with its folder, variables and input, or the files with the hashes of what stands there and what would,
//! the session, who calls, and how confined commands are. It is looked at again right before the call runs: where
//! anything differs, nobody said yes to that.

use std::os::unix::ffi::OsStrExt as _;

use crate::data::Data;
use crate::files::{Action, Change, Image, Place};
use crate::store::{Hash, SANDBOX};
use crate::tool::{Context, Plan, Work};

/// A yes to one call, as it was planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Yes(Hash);

impl Yes {
    /// The yes to this plan of the call. It serializes the arguments: for a thread that may block.
    pub(super) fn to(plan: &Plan, args: &Data, context: &Context) -> Yes {
        let mut exact = Exact::default();
        exact.part(context.running.id());
        exact.part(context.services.session.as_str());
        exact.part(context.caller().as_str());
        // Commands have the network that the program has, whatever confines them besides.
        exact.part(SANDBOX);
        exact.data(args);
        exact.part(plan.effect.as_str());
        exact.count(plan.subjects.len());
        for subject in &plan.subjects {
            exact.part(format!("{subject:?}"));
        }
        exact.data(&plan.note);
        exact.work(&plan.work, context);
        Yes(Hash::of(&exact.0))
    }
}

/// The parts in a row, each with its length before it, so that no two rows are the same bytes.
#[derive(Default)]
struct Exact(Vec<u8>);

impl Exact {
    fn part(&mut self, bytes: impl AsRef<[u8]>) {
        let bytes = bytes.as_ref();
        self.count(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    fn count(&mut self, count: usize) {
        self.0.extend_from_slice(&(count as u64).to_le_bytes());
    }

    /// Unlike as JSON, bytes are no text here, and a whole number is no other.
    fn data(&mut self, data: &Data) {
        match data {
            Data::Null => self.part("null"),
            Data::Bool(value) => self.part(format!("bool {value}")),
            Data::Int(value) => self.part(format!("int {value}")),
            Data::Float(value) => self.part(format!("float {:x}", value.to_bits())),
            Data::Text(text) => {
                self.part("text");
                self.part(text);
            }
            Data::Bytes(bytes) => {
                self.part("bytes");
                self.part(bytes);
            }
            Data::List(items) => {
                self.part("list");
                self.count(items.len());
                items.iter().for_each(|item| self.data(item));
            }
            Data::Map(map) => {
                self.part("map");
                self.count(map.len());
                for (name, value) in map {
                    self.part(name);
                    self.data(value);
                }
            }
        }
    }

    fn work(&mut self, work: &Work, context: &Context) {
        match work {
            Work::None => self.part("none"),
            Work::Data(data) => {
                self.part("data");
                self.data(data);
            }
            Work::Paths(places) => {
                self.part("paths");
                self.count(places.len());
                places.iter().for_each(|place| self.place(place));
            }
            Work::Files(changes) => {
                self.part("files");
                self.changes(changes.changes());
            }
            Work::Lines {
                additions,
                deletions,
            } => {
                self.part("lines");
                self.count(*additions);
                self.count(*deletions);
            }
            Work::Command { line, cwd } => {
                self.part("command");
                self.part(line);
                self.place(cwd);
                let services = &context.services;
                let inherited = (services.inherited)(&context.scope);
                let inherited = inherited.iter().map(|(name, value)| (name, value));
                for (name, value) in services.environment.iter().chain(inherited) {
                    self.part(name.as_bytes());
                    self.part(value.as_bytes());
                }
            }
        }
    }

    fn place(&mut self, place: &Place) {
        self.part(place.path.as_os_str().as_bytes());
        self.part(place.real.as_os_str().as_bytes());
        self.part(format!("{:?}", place.entry));
    }

    fn changes(&mut self, changes: &[Change]) {
        self.count(changes.len());
        for change in changes {
            self.place(&change.place);
            self.part(change.action.as_str());
            if let Action::Move { to } = &change.action {
                self.place(to);
            }
            self.image(change.before.as_ref());
            self.image(change.after.as_ref());
            self.changes(&change.inner);
        }
    }

    fn image(&mut self, image: Option<&Image>) {
        let Some(image) = image else {
            return self.part("nothing");
        };
        self.part(format!("{:?} {} {:?}", image.form, image.hash, image.mode));
    }
}
