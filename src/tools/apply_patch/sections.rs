//! The sections of a patch told to the files, one after the other: each sees what those before it did.
//!
//! Nothing is changed on disk. Files are known by their real paths, so two names of one file are one.

use std::path::Path;

use super::{hidden, refused};
use crate::error::{Kind, ToolError};
use crate::files::{Entry, Form, Image, Place, not_text};
use crate::patch::{self, Hunk, Section, Work};
use crate::text::encoding::Encoding;
use crate::tool::Context;
use crate::tools::changes::{self, Current};

/// A file that a patch touches: what it was, and what it is after the sections so far.
pub(super) struct Touched {
    /// Where it stands on disk, and what stands there; `None` for a file that the patch adds.
    pub(super) origin: Option<(Place, Image)>,
    /// Where it stands now; `None` once it is deleted.
    pub(super) now: Option<Place>,
    /// Its text on disk and what that is in, where it was needed.
    pub(super) was: Option<(String, Encoding)>,
    /// Its text now; `None` where its bytes are as they were.
    pub(super) text: Option<String>,
    /// Whether the patch made it anew where another had been: what that was in does not matter.
    pub(super) anew: bool,
}

impl Touched {
    fn is_at(&self, real: &Path) -> bool {
        self.now.as_ref().is_some_and(|now| now.real == real)
    }

    fn came_from(&self, real: &Path) -> bool {
        let origin = self.origin.as_ref();
        origin.is_some_and(|(origin, _)| origin.real == real)
    }

    /// Its text now, if it is known.
    fn current(&self) -> Option<&str> {
        let was = self.was.as_ref().map(|(text, _)| text.as_str());
        self.text.as_deref().or(was)
    }
}

/// What the sections did.
pub(super) struct Told<'a> {
    /// The files, in the order in which they were met.
    pub(super) files: Vec<Touched>,
    /// What the reader should know of hunks that fit only roughly, a line each.
    pub(super) tolerated: Vec<String>,
    context: &'a Context,
}

/// # Errors
/// The first section that cannot be done, with its line in the patch as `patch_line`.
pub(super) fn told<'a>(sections: &[Section], context: &'a Context) -> Result<Told<'a>, ToolError> {
    let mut told = Told {
        files: Vec::new(),
        tolerated: Vec::new(),
        context,
    };
    for section in sections {
        told.section(section).map_err(|error| {
            let is_named = |detail: &&_| serde_json::Map::contains_key(detail, "patch_line");
            match error.detail.as_deref().filter(is_named) {
                Some(_) => error,
                None => error.with_detail("patch_line", section.line),
            }
        })?;
    }
    Ok(told)
}

impl Told<'_> {
    fn section(&mut self, section: &Section) -> Result<(), ToolError> {
        let path = names_a_file(&section.path)?;
        match &section.work {
            Work::Add(text) => self.add(path, text),
            Work::Delete => self.delete(path),
            Work::Update { to: None, hunks } => self.update(path, hunks),
            Work::Update {
                to: Some(to),
                hunks,
            } => self.shift(path, names_a_file(to)?, hunks),
        }
    }

    fn add(&mut self, path: &str, text: &str) -> Result<(), ToolError> {
        let place = self.context.services.files.resolve(path)?;
        let _no_tag = changes::restored(text, None, &place, self.context)?;
        self.must_be_free(&place)?;
        let deleted = |file: &&mut Touched| file.now.is_none() && file.came_from(&place.real);
        if let Some(file) = self.files.iter_mut().find(deleted) {
            (file.now, file.text, file.anew) = (Some(place), Some(text.to_owned()), true);
            return Ok(());
        }
        self.files.push(Touched {
            origin: None,
            now: Some(place),
            was: None,
            text: Some(text.to_owned()),
            anew: true,
        });
        Ok(())
    }

    fn delete(&mut self, path: &str) -> Result<(), ToolError> {
        let place = self.context.services.files.resolve_entry(path)?;
        let file = self.known(&place)?;
        self.files[file].now = None;
        Ok(())
    }

    fn update(&mut self, path: &str, hunks: &[Hunk]) -> Result<(), ToolError> {
        let place = self.context.services.files.resolve(path)?;
        let file = self.with_text(&place)?;
        self.apply(file, hunks)
    }

    fn shift(&mut self, path: &str, to: &str, hunks: &[Hunk]) -> Result<(), ToolError> {
        let files = &self.context.services.files;
        let (place, to) = (files.resolve_entry(path)?, files.resolve_entry(to)?);
        if place.real == to.real {
            return self.update(path, hunks);
        }
        let file = match hunks {
            [] => self.known(&place)?,
            _ => self.with_text(&place)?,
        };
        self.must_be_free(&to)?;
        self.apply(file, hunks)?;
        self.files[file].now = Some(to);
        Ok(())
    }

    fn apply(&mut self, file: usize, hunks: &[Hunk]) -> Result<(), ToolError> {
        let file = &mut self.files[file];
        let (Some(now), Some(text)) = (&file.now, file.current()) else {
            return Ok(()); // moved as it is
        };
        let name = &now.display;
        let hunks = hidden::restored(text, hunks, now, self.context)?;
        let applied = patch::apply(text, &hunks).map_err(|why| refused::misfit(why, name))?;
        for (hunk, what) in applied.tolerated {
            let line = format!("the hunk at line {hunk} of the patch fits {name} but for {what}");
            self.tolerated.push(line);
        }
        if !hunks.is_empty() {
            file.text = Some(applied.text);
        }
        Ok(())
    }

    /// Refuses a place where something stands, on disk or after the sections so far.
    fn must_be_free(&self, place: &Place) -> Result<(), ToolError> {
        let is_taken = match self.files.iter().any(|file| file.is_at(&place.real)) {
            true => true,
            false => place.entry != Entry::Missing && !self.is_vacated(place),
        };
        if !is_taken {
            return Ok(());
        }
        if place.entry == Entry::Folder {
            return Err(
                ToolError::argument(format!("{} is a folder", place.display))
                    .with_hint("name a file in it"),
            );
        }
        Err(ToolError::conflict(format!("{} exists already", place.display)).with_hint(
            "change it with `*** Update File`, choose another name, or delete it in a section before",
        ))
    }

    fn is_vacated(&self, place: &Place) -> bool {
        self.files.iter().any(|file| file.came_from(&place.real))
    }

    /// What an earlier section left at `place`.
    fn met(&self, place: &Place) -> Result<Option<usize>, ToolError> {
        let at = self.files.iter().position(|file| file.is_at(&place.real));
        if at.is_none() && self.is_vacated(place) {
            let message = format!(
                "{} is not there any more: a section before moved or deleted it",
                place.display
            );
            return Err(ToolError::not_found(message)
                .with_hint("name it as that section left it, or leave one of the two out"));
        }
        Ok(at)
    }

    /// The file at `place`, as it is, whatever it holds. It need not be text.
    fn known(&mut self, place: &Place) -> Result<usize, ToolError> {
        if let Some(file) = self.met(place)? {
            return Ok(file);
        }
        let files = &self.context.services.files;
        match place.entry {
            Entry::Missing => return Err(files.missing(place)),
            Entry::Folder => {
                let message = format!("{} is a folder; a patch changes files", place.display);
                return Err(ToolError::argument(message)
                    .with_hint("use `delete` or `move` for a folder, or name the files in it"));
            }
            _ => {}
        }
        let change = files.plan_delete(place, self.context.stop_flag())?;
        changes::known(&change, self.context.caller(), self.context)?;
        let image = change.before;
        let image = image.ok_or_else(|| ToolError::internal("a delete of nothing"))?;
        Ok(self.push(place, image, None))
    }

    /// The file at `place` with its text.
    fn with_text(&mut self, place: &Place) -> Result<usize, ToolError> {
        if let Some(file) = self.met(place)? {
            return self.read(file);
        }
        let current = self.current(place)?;
        let image = current.snapshot.image();
        let text = current.text.ok_or_else(|| not_text(place))?;
        Ok(self.push(place, image, Some(text)))
    }

    /// A file that was met before, with its text.
    fn read(&mut self, file: usize) -> Result<usize, ToolError> {
        let touched = &self.files[file];
        let (None, Some((place, image))) = (touched.current(), &touched.origin) else {
            return Ok(file);
        };
        if image.form != Form::File {
            let message = format!("{} is a link, not a file", place.display);
            return Err(ToolError::argument(message).with_hint("change the file it leads to"));
        }
        let current = self.current(place)?;
        if current.snapshot.hash != image.hash {
            let message = format!("{} was changed meanwhile by somebody else", place.display);
            return Err(ToolError::new(Kind::Conflict, message));
        }
        let text = current.text.ok_or_else(|| not_text(place))?;
        self.files[file].was = Some(text);
        Ok(file)
    }

    fn current(&self, place: &Place) -> Result<Current, ToolError> {
        if place.entry == Entry::Link {
            let message = format!(
                "{} is a link; a patch moves it only as it is",
                place.display
            );
            return Err(ToolError::argument(message).with_hint("change the file it leads to"));
        }
        let missing = || self.context.services.files.missing(place);
        changes::current(place, self.context)?.ok_or_else(missing)
    }

    fn push(&mut self, place: &Place, image: Image, was: Option<(String, Encoding)>) -> usize {
        self.files.push(Touched {
            origin: Some((place.clone(), image)),
            now: Some(place.clone()),
            was,
            text: None,
            anew: false,
        });
        self.files.len() - 1
    }
}

fn names_a_file(path: &str) -> Result<&str, ToolError> {
    if path.ends_with('/') {
        let message = format!("{path} names a folder; a patch changes files");
        return Err(ToolError::argument(message).with_hint("leave the last `/` out"));
    }
    Ok(path)
}
