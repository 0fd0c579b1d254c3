//! A conversation: what was said, kept in memory for the next request and on disk for whoever goes on with it.
//!
//! What was said only grows: each request begins with the bytes of the one before.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use super::calling::Called;
use super::guiding::Guiding;
use super::offering::Offering;
use super::record::{Head, Line, Past, close, compact, shrink};
use super::reminder::Failures;
use super::repeat::Shown;
use crate::chat::{Call, CallResult, Message, Role, Usage, pairs};
use crate::error::ToolError;
use crate::store::{SessionId, SessionLog, Sessions, Workspace, moment};
use crate::tool::{Level, Services, Sink, Todo};

/// From how many per cent of its window on a conversation will soon be full.
const NEAR: u64 = 70;

/// What is said in one session.
pub struct Conversation {
    head: Head,
    system: Option<Vec<String>>,
    messages: Vec<Message>,
    file: File,
    clock: fn() -> SystemTime,
    sink: Arc<dyn Sink>,
    /// How many requests were made.
    pub(super) steps: u64,
    /// How many tokens the last request and its answer had.
    pub(super) context: u64,
    /// How many messages those were.
    counted: usize,
    /// How many tokens its model holds, where that is known.
    pub(super) window: Option<u64>,
    /// Whether the model was told that it will soon be full.
    was_told: bool,
    pub(super) shown: Shown,
    pub(super) failures: Failures,
    /// The tools that the model is offered in it.
    pub(super) offering: Offering,
    /// What was noted last.
    noted: Standing,
    /// What was shown of the folders that it came to, once it came to any.
    guiding: Option<Arc<Guiding>>,
}

/// What stands in a session beside what is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    /// What is to be done.
    pub(super) todos: Vec<Todo>,
    /// Whether something is being planned.
    pub(super) is_planning: bool,
}

impl Standing {
    /// As it is now.
    pub(super) fn of(services: &Services) -> Standing {
        Standing {
            todos: services.todos.list(),
            is_planning: services.planning.is_on(),
        }
    }

    /// Puts it back.
    pub(super) fn restore(self, services: &Services) {
        services.todos.replace(self.todos);
        match self.is_planning {
            true => services.planning.begin(),
            false => services.planning.end(),
        };
    }
}

/// Where it is written.
enum File {
    /// Not yet: a session that says nothing leaves no file.
    Later(Sessions, SessionId),
    Open(SessionLog),
    /// Nowhere: it could not be written, and that was told.
    Lost,
}

impl Conversation {
    /// A new one in the session `id`.
    pub fn new(
        sessions: Sessions,
        id: SessionId,
        head: Head,
        sink: Arc<dyn Sink>,
        clock: fn() -> SystemTime,
    ) -> Conversation {
        let head = Head {
            version: 1,
            id: id.to_string(),
            time: moment(clock()),
            ..head
        };
        let file = File::Later(sessions, id);
        Conversation::of(head, Vec::new(), file, sink, clock)
    }

    /// One that is kept nowhere.
    pub(super) fn unkept(
        messages: Vec<Message>,
        sink: Arc<dyn Sink>,
        clock: fn() -> SystemTime,
    ) -> Conversation {
        Conversation::of(Head::default(), messages, File::Lost, sink, clock)
    }

    /// Goes on with one that was written before.
    ///
    /// # Errors
    /// `not_found` when there is none; `conflict` when another process goes on with it.
    pub fn go_on(
        sessions: &Sessions,
        id: &SessionId,
        sink: Arc<dyn Sink>,
        clock: fn() -> SystemTime,
    ) -> Result<Conversation, ToolError> {
        let (lines, log) = sessions.go_on(id)?;
        let past = Past::read(lines.iter().map(Vec::as_slice));
        if past.unread > 0 {
            let line = format!(
                "{} lines of the session {id} could not be read and are passed over",
                past.unread
            );
            sink.log(Level::Warn, line);
        }
        let file = File::Open(log);
        let offering = Offering::going_on(past.opened);
        let noted = Standing {
            todos: past.todos,
            is_planning: past.is_planning,
        };
        Ok(Conversation {
            offering,
            noted,
            ..Conversation::of(past.head, past.messages, file, sink, clock)
        })
    }

    fn of(
        head: Head,
        messages: Vec<Message>,
        file: File,
        sink: Arc<dyn Sink>,
        clock: fn() -> SystemTime,
    ) -> Conversation {
        let asked = messages
            .iter()
            .filter(|message| message.role == Role::Assistant);
        Conversation {
            steps: asked.count() as u64,
            head,
            system: None,
            messages,
            file,
            clock,
            sink,
            context: 0,
            counted: 0,
            window: None,
            was_told: false,
            shown: Shown::default(),
            failures: Failures::default(),
            offering: Offering::default(),
            noted: Standing::default(),
            guiding: None,
        }
    }

    /// The session it is in.
    pub fn id(&self) -> &str {
        &self.head.id
    }

    /// How it began.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// What was said.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// What the model is told before all of it, once that is settled.
    pub(super) fn system(&self) -> Option<Vec<String>> {
        self.system.clone()
    }

    /// Settles what the model is told before all of it.
    pub(super) fn begin(&mut self, system: Vec<String>) -> Vec<String> {
        self.system.insert(system).clone()
    }

    /// Somebody says something.
    pub(super) fn say(&mut self, message: Message) {
        let time = self.now();
        self.write(&Line::Message {
            time,
            message: message.clone(),
        });
        self.messages.push(message);
    }

    /// A call is about to be made.
    pub(super) fn begins(&mut self, call: &Call, may_change: bool) {
        let time = self.now();
        self.write(&Line::Call {
            time,
            call: call.clone(),
            may_change,
        });
    }

    /// A call has its result.
    pub(super) fn ends(&mut self, called: &Called) {
        let time = self.now();
        self.write(&Line::Result {
            time,
            result: called.result.clone(),
            kind: called.kind.map(|kind| kind.as_str().to_owned()),
        });
        let tools = self.offering.unnoted();
        if !tools.is_empty() {
            self.write(&Line::Opened { tools });
        }
    }

    /// What shows it the instruction files of the folders it comes to, from the folder `cwd`.
    pub(super) fn guiding(&mut self, workspace: &Workspace, cwd: &Path) -> Arc<Guiding> {
        let new = || Arc::new(Guiding::new(workspace, cwd, &self.messages));
        Arc::clone(self.guiding.get_or_insert_with(new))
    }

    /// What stood beside what was said, when it was noted last.
    pub(super) fn noted(&self) -> &Standing {
        &self.noted
    }

    /// Notes what stands beside what is said, where that has changed.
    pub(super) fn note(&mut self, now: Standing) {
        if now.todos != self.noted.todos {
            let (time, todos) = (self.now(), now.todos.clone());
            self.write(&Line::Todos { time, todos });
        }
        if now.is_planning != self.noted.is_planning {
            let (time, on) = (self.now(), now.is_planning);
            self.write(&Line::Planning { time, on });
        }
        self.noted = now;
    }

    /// The results of a step, each noted before.
    pub(super) fn answer(&mut self, results: Vec<CallResult>) {
        self.messages.push(Message::results(results));
    }

    /// A request was answered.
    pub(super) fn used(&mut self, model: &str, usage: Usage, cost: Option<f64>) {
        (self.context, self.counted) = (usage.total(), self.messages.len());
        let model = model.to_owned();
        self.write(&Line::Usage { model, usage, cost });
    }

    /// A turn is over.
    pub(super) fn over(&mut self, status: &str) {
        let (time, status) = (self.now(), status.to_owned());
        self.write(&Line::Turn { time, status });
    }

    /// About how many tokens the next request has: what the last one had, and what was said since.
    pub(super) fn tokens(&self) -> u64 {
        let since = self.messages.get(self.counted..).unwrap_or_default();
        self.context + since.iter().map(Message::weight).sum::<u64>()
    }

    /// About how many tokens are left, where that is known.
    pub(super) fn left(&self) -> Option<u64> {
        Some(self.window?.saturating_sub(self.tokens()))
    }

    /// What the model is told, once, when the conversation will soon be full.
    pub(super) fn nears_its_end(&mut self) -> Option<String> {
        let (window, tokens) = (self.window.filter(|_| !self.was_told)?, self.tokens());
        let share = tokens.saturating_mul(100) / window.max(1);
        self.was_told = share >= NEAR;
        self.was_told.then(|| {
            format!("[{share} % of what this conversation can hold is used; soon it is summed up. Write down what must not be lost, such as what is left to do.]")
        })
    }

    /// Leaves out the results of these calls.
    pub(super) fn shrink(&mut self, ids: Vec<String>) {
        shrink(&mut self.messages, &ids);
        self.write(&Line::Shrunk { ids });
        self.anew();
    }

    /// Puts a summary in the place of all before the message `stays`.
    pub(super) fn compact(&mut self, summary: &str, stays: usize) {
        let kept = self.messages.len() - stays;
        compact(&mut self.messages, summary, kept);
        let (time, summary) = (self.now(), summary.to_owned());
        self.write(&Line::Compaction {
            time,
            summary,
            kept,
        });
        self.offering.forgets();
        self.anew();
    }

    /// What was shown, and how much it was, is not known any more.
    fn anew(&mut self) {
        (self.shown, self.context, self.counted) = (Shown::default(), 0, 0);
        self.was_told = false;
        if let Some(guiding) = &self.guiding {
            guiding.shown_in(&self.messages);
        }
    }

    /// Gives every call that has no result one that says so: a turn may have been dropped in the middle.
    pub(super) fn mend(&mut self) {
        let open = pairs::open_calls(&self.messages);
        let results: Vec<CallResult> = open
            .into_iter()
            .map(|call| close(call, Some(true)))
            .collect();
        if !results.is_empty() {
            self.messages.push(Message::results(results));
        }
    }

    fn now(&self) -> String {
        moment((self.clock)())
    }

    /// Writes a line. A session that cannot be written is told of once, and goes on.
    fn write(&mut self, line: &Line) {
        let written = self.open().and_then(|()| match &self.file {
            File::Open(log) => log.add(&as_bytes(line)?),
            File::Later(..) | File::Lost => Ok(()),
        });
        if let Err(error) = written {
            self.file = File::Lost;
            let line = format!("the session is not kept: {error}");
            self.sink.log(Level::Warn, line);
        }
    }

    fn open(&mut self) -> Result<(), ToolError> {
        let File::Later(sessions, id) = &self.file else {
            return Ok(());
        };
        let log = sessions.begin(id)?;
        log.add(&as_bytes(&Line::Session(self.head.clone()))?)?;
        self.file = File::Open(log);
        Ok(())
    }
}

fn as_bytes(line: &Line) -> Result<Vec<u8>, ToolError> {
    serde_json::to_vec(line)
        .map_err(|error| ToolError::internal(format!("a line of the session: {error}")))
}
