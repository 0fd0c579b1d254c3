//! `read`: a text file by lines, an image, a folder as a listing, a spill by its id.
//!
//! A program gets the text as it is; a model and a person get numbered lines, a page at a time. Reading
//! notes the file's hash, so that a later change by somebody else is noticed.

use std::num::NonZeroU64;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::pages::{self, Page};
use super::{decoding, foreseen, listing, picture, shown, spilled, subjects};
use crate::data::Data;
use crate::edit::hashline::{Mark, marks};
use crate::error::{Kind, ToolError};
use crate::files::{Entry, HELD, Opened, Place, Range};
use crate::permission::Effect;
use crate::store::Seen;
use crate::text::counted;
use crate::text::encoding::{Encoding, is_binary};
use crate::text::lines::{LineEnding, LineIndex, lines};
use crate::tool::{Context, Destination, Example, Outcome, Output, Plan, Typed};

/// The tool `read`.
pub(super) struct Read;

/// What `read` takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Args {
    /// A file, a folder, or `spill:ID`
    path: String,
    /// The first line, from 1
    #[serde(default = "first")]
    offset: NonZeroU64,
    /// How many lines; a model gets 2000 by default, a program all
    limit: Option<NonZeroU64>,
    /// Where the content does not show it, such as `gbk`
    encoding: Option<String>,
    /// Shows the anchors that `hashline_edit` takes, as in `12#kfd|text`
    #[serde(default)]
    hashes: bool,
}

fn first() -> NonZeroU64 {
    NonZeroU64::MIN
}

impl Typed for Read {
    const ID: &'static str = "read";
    const SURFACE: &'static str = "file";
    const EFFECT: Effect = Effect::Read;
    const DESCRIPTION: &'static str = "Reads a text file, or an image. Lines are numbered from 1; page through \
        a long file with `offset` and `limit`. Of a folder it shows what is in it.";
    const ALIASES: &'static [&'static str] = &["Read", "read_file", "view", "cat", "FileRead"];
    const PARAMETER_ALIASES: &'static [(&'static str, &'static str)] = &[
        ("filePath", "path"),
        ("file_path", "path"),
        ("file", "path"),
        ("line", "offset"),
    ];
    const TIMEOUT: Option<Duration> = Some(Duration::from_secs(60));
    const FIELDS: &'static [&'static str] = &[
        "text",
        "hash",
        "total_lines",
        "first_line",
        "last_line",
        "encoding",
        "line_ending",
        "anchors",
        "entries",
        "count",
        "media_type",
    ];
    const EXAMPLES: &'static [Example] = &[Example {
        about: "Two lines from the middle of a file",
        files: &[("poem.txt", "one\ntwo\nthree\nfour\n")],
        args: r#"{"path": "poem.txt", "offset": 2, "limit": 2}"#,
        shows: "2\ttwo\n     3\tthree\n",
    }];

    type Args = Args;

    async fn plan(args: &Args, context: &Context) -> Result<Plan, ToolError> {
        match spilled::id(&args.path) {
            Some(_) => Ok(Plan::read(vec![spilled::subject(&args.path)])),
            None => subjects::reading(&args.path, context).await,
        }
    }

    fn foresee(args: &Data, context: &Context) -> Result<Option<Plan>, ToolError> {
        let path = args.get("path").and_then(Data::as_str);
        match path.and_then(spilled::id) {
            Some(_) => Ok(None),
            None => foreseen::reading(args, "path", context),
        }
    }

    async fn execute(args: &Args, plan: Plan, context: &Context) -> Outcome {
        let wanted = Wanted {
            path: args.path.clone(),
            first: args.offset.get(),
            limit: args.limit.map(NonZeroU64::get),
            encoding: args.encoding.clone(),
            hashes: args.hashes,
        };
        let inner = context.clone();
        context.blocking(move || wanted.read(plan, &inner)).await
    }
}

/// Which lines of what.
struct Wanted {
    path: String,
    first: u64,
    limit: Option<u64>,
    encoding: Option<String>,
    hashes: bool,
}

impl Wanted {
    fn read(self, plan: Plan, context: &Context) -> Outcome {
        if let Some(id) = spilled::id(&self.path) {
            return self.spill(id, context);
        }
        let files = &context.services.files;
        let place = plan.into_place()?;
        if place.entry == Entry::Folder {
            return listing::of_folder(&place, context);
        }
        let opened = files.open(&place)?;
        if opened.size() > HELD {
            self.range(opened, &place, context)
        } else {
            self.whole(&opened, &place, context)
        }
    }

    /// A file that is read as a whole: its hash, all its lines, and the ones that are wanted.
    fn whole(&self, opened: &Opened<'_>, place: &Place, context: &Context) -> Outcome {
        let snapshot = opened.snapshot(HELD)?;
        if self.encoding.is_none()
            && is_binary(&snapshot.bytes)
            && let Some(picture) = picture::read(&snapshot, place, context)
        {
            return picture;
        }
        let (text, encoding) = decoding::shown(&snapshot, place, self.encoding.as_deref())?;
        let real = self.hashes.then(|| text.clone());
        let text = shown::whole(text, context);
        let marks = real.map(|real| marks_of(&real, &text));
        let seen = Seen {
            hash: snapshot.hash,
            encoding: Some(encoding.to_string()),
        };
        context.services.ledger.note(place.real.clone(), seen);
        let index = LineIndex::new(&text);
        let total = index.count() as u64;
        self.check_start(total, &place.display)?;
        let last = self.last(context).min(total);
        let range = index.range(self.first as usize, last as usize);
        let page = Page {
            name: place.display.clone(),
            path: self.path.clone(),
            is_file: true,
            text: &text[range],
            first: self.first,
            last,
            total: Some(total),
            encoding: encoding.to_string(),
            line_ending: LineEnding::of(&text).as_str(),
            marks: marks
                .filter(|_| total > 0)
                .map(|marks| marks[self.first as usize - 1..last as usize].to_vec()),
        };
        let hash = Data::from(snapshot.hash.to_string());
        Ok(self.page(&page, place, hash, context))
    }

    /// Lines of a file too large to be read as a whole.
    fn range(&self, opened: Opened<'_>, place: &Place, context: &Context) -> Outcome {
        let limits = &context.limits();
        let is_program = context.destination == Destination::Program;
        if is_program && self.limit.is_none() {
            let message = format!("{} is too large to be read as a whole", place.display);
            return Err(ToolError::new(Kind::Resource, message)
                .with_hint("give a `limit` and page with `offset`, or search it with `grep`"));
        }
        let label = self.encoding.as_deref();
        let encoding = label
            .map(Encoding::for_label)
            .transpose()
            .map_err(|error| decoding::wrong(place, &error))?;
        let max_bytes = if is_program {
            limits.program_bytes
        } else {
            limits.bytes
        };
        let range = Range {
            first: self.first,
            last: self.last(context),
            max_bytes,
            total: false,
            encoding,
        };
        let mut ranged = opened.lines(range, context.stop_flag())?;
        ranged.text = shown::part(ranged.text, context);
        if let Some(total) = ranged.total {
            self.check_start(total, &place.display)?;
        }
        let page = Page {
            name: place.display.clone(),
            path: self.path.clone(),
            is_file: true,
            text: &ranged.text,
            first: ranged.first,
            last: ranged.last,
            total: ranged.total,
            encoding: ranged.encoding.to_string(),
            line_ending: LineEnding::of(&ranged.text).as_str(),
            marks: None, // such a file is too large to be edited
        };
        Ok(self.page(&page, place, Data::Null, context))
    }

    fn spill(&self, id: &str, context: &Context) -> Outcome {
        let text = shown::whole(spilled::read(id, context)?, context);
        let index = LineIndex::new(&text);
        let total = index.count() as u64;
        self.check_start(total, &self.path)?;
        let last = self.last(context).min(total);
        let page = Page {
            name: self.path.clone(),
            path: self.path.clone(),
            is_file: false,
            text: &text[index.range(self.first as usize, last as usize)],
            first: self.first,
            last,
            total: Some(total),
            encoding: Encoding::UTF_8.to_string(),
            line_ending: LineEnding::of(&text).as_str(),
            marks: None,
        };
        let mut output = pages::output(&page, context);
        output
            .metadata
            .insert("path".to_owned(), self.path.as_str().into());
        output.metadata.insert("hash".to_owned(), Data::Null);
        Ok(output)
    }

    fn page(&self, page: &Page<'_>, place: &Place, hash: Data, context: &Context) -> Output {
        let mut output = pages::output(page, context);
        output
            .metadata
            .insert("path".to_owned(), place.display.as_str().into());
        output.metadata.insert("hash".to_owned(), hash);
        output
    }

    /// The last line that is wanted, whether it exists or not.
    fn last(&self, context: &Context) -> u64 {
        let default = match context.destination {
            Destination::Program => u64::MAX,
            Destination::Model | Destination::Person => context.limits().lines as u64,
        };
        self.first.saturating_add(self.limit.unwrap_or(default) - 1)
    }

    fn check_start(&self, total: u64, name: &str) -> Result<(), ToolError> {
        if self.first <= total.max(1) {
            return Ok(());
        }
        let message = format!(
            "{name} has {}; line {} is past its end",
            counted(total as usize, "line"),
            self.first
        );
        Err(ToolError::argument(message).with_hint(format!("use an `offset` from 1 to {total}")))
    }
}

/// The hash of each line of `real`; none for a line that `shown` has with a secret hidden: it would tell of it.
fn marks_of(real: &str, shown: &str) -> Vec<Option<Mark>> {
    let pairs = lines(real).zip(lines(shown)).zip(marks(real));
    let mark = |((real, shown), mark)| (real == shown).then_some(mark);
    pairs.map(mark).collect()
}
