//! The world of one test file: a door, a Lua state and a workspace of its own, and nobody there to ask.
//!
//! Rules of the command line and of the environment hold here too. Of the program's events only the log comes through.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::runtime::Handle;

use super::cases;
use super::find::{Folder, TestSource};
use super::report::FileTests;
use super::stray;
use crate::cli::loading::{govern, install, is_there};
use crate::cli::mode::Chosen;
use crate::cli::session::Session;
use crate::data;
use crate::error::{Error, Kind, ToolError};
use crate::files::Files;
use crate::gate::{Dispatch, Recent, Rules};
use crate::layers::{self, Sources};
use crate::lua::{
    self, LIMIT, Mocks, Policed, Report, Settings, Status, TestFile, TestWorld, Tested, Vm,
};
use crate::tool::{
    Arguments, Call, Destination, Event, Gate as _, Generation, Guard, Guarded, Nobody, Scope,
    Sink, Thinking,
};

/// How long a Lua thread may take to leave.
const GRACE: Duration = Duration::from_millis(500);

/// What all files share: the session that tests, and the folder they work in.
pub(super) struct World<'a> {
    session: &'a Session,
    _folder: TempDir,
    workspace: PathBuf,
    /// The files whose faults were told of.
    told: RefCell<HashSet<String>>,
}

/// The door and the state of one file.
struct Own {
    door: Arc<Dispatch>,
    vm: Vm,
    scope: Scope,
    rules: Rules,
    mode: Chosen,
    mocks: Mocks,
}

/// An example of a tool: what is there before, the call, a part of the text that a model would read.
struct Shown {
    files: Vec<(PathBuf, Vec<u8>)>,
    args: String,
    shows: String,
}

impl Drop for Own {
    fn drop(&mut self) {
        self.scope.node().close();
        self.vm.stop();
        self.vm.wait(GRACE);
    }
}

impl World<'_> {
    /// A world for the tests of `session`.
    ///
    /// # Errors
    /// What the system says of temporary folders.
    pub(super) fn new(session: &Session) -> Result<World<'_>, Error> {
        let made = tempfile::Builder::new().prefix("agent-test-").tempdir();
        let real = made.and_then(|folder| Ok((folder.path().canonicalize()?, folder)));
        let (real, folder) =
            real.map_err(|error| ToolError::from_io(&error, "make", "a folder for tests"))?;
        let workspace = real.join("workspace");
        lua::empty(&workspace)?;
        Ok(World {
            session,
            _folder: folder,
            workspace,
            told: RefCell::default(),
        })
    }

    /// Runs one test file.
    ///
    /// # Errors
    /// `cancelled`.
    pub(super) async fn test(
        &self,
        file: &TestSource,
        filter: Option<&str>,
    ) -> Result<FileTests, Error> {
        let start = Instant::now();
        let tests = Arc::<Mutex<Vec<Tested>>>::default();
        let ended = self.run_file(file, filter, Arc::clone(&tests)).await;
        let mut tests = std::mem::take(&mut *tests.lock().unwrap_or_else(PoisonError::into_inner));
        match ended {
            Err(error) if error.kind == Kind::Cancelled => return Err(error.into()),
            Err(error) => tests.push(unloaded(&file.shown, &error, start.elapsed())),
            Ok(()) => {}
        }
        stray::tell(&file.path, &file.shown, &mut tests);
        Ok(FileTests {
            file: file.shown.clone(),
            tests,
        })
    }

    async fn run_file(
        &self,
        file: &TestSource,
        filter: Option<&str>,
        tests: Arc<Mutex<Vec<Tested>>>,
    ) -> Result<(), ToolError> {
        let source = file.text.clone()?;
        let own = self.own()?;
        let (report, _) = load(&own, &file.tools).await?;
        let faults = self.faults(report).into_iter().map(|(_, test)| test);
        tests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(faults);
        let test = TestFile {
            shown: file.shown.clone(),
            source,
            filter: filter.map(str::to_owned),
            limit: LIMIT,
        };
        let note = move |tested| {
            tests
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(tested)
        };
        own.vm.test(&own.scope, test, Arc::new(note)).await
    }

    /// Runs the examples of the tools in `folder`, those of each tool file as a file of tests.
    ///
    /// # Errors
    /// `cancelled`.
    pub(super) async fn examples(
        &self,
        folder: &Folder,
        filter: Option<&str>,
    ) -> Result<Vec<FileTests>, Error> {
        let own = self.own()?;
        let (report, policy) = match load(&own, std::slice::from_ref(folder)).await {
            Ok(loaded) => loaded,
            Err(error) if error.kind == Kind::Cancelled => return Err(error.into()),
            Err(error) => {
                let test = unloaded(&folder.shown, &error, Duration::ZERO);
                let file = folder.shown.clone();
                let tests = vec![test];
                return Ok(vec![FileTests { file, tests }]);
            }
        };
        let mut all: Vec<FileTests> = Vec::new();
        let loaded = report.loaded.clone();
        for (file, test) in self.faults(report) {
            let tests = vec![test];
            all.push(FileTests { file, tests });
        }
        for loaded in loaded {
            let generation = own.door.generation();
            let examples = generation.tools.find(&loaded.id)?.spec().examples.clone();
            let mut tests = Vec::new();
            for example in &examples {
                let name = format!("{} {}", loaded.id, example.about);
                if filter.is_none_or(|filter| name.contains(filter)) {
                    let files = example.files.iter().map(|(path, content)| {
                        let bytes: &[u8] = content.as_ref();
                        (PathBuf::from(path), bytes.to_vec())
                    });
                    let shown = Shown {
                        files: files.collect(),
                        args: example.args.to_owned(),
                        shows: example.shows.to_owned(),
                    };
                    tests.push(self.example(&own, &loaded.id, name, shown).await?);
                }
            }
            let file = loaded.file;
            all.push(FileTests { file, tests });
        }
        all.extend(self.cases(&own, policy, filter).await?);
        Ok(all)
    }

    /// Runs the cases of `policy`, whatever mode it names.
    async fn cases(
        &self,
        own: &Own,
        policy: Policed,
        filter: Option<&str>,
    ) -> Result<Vec<FileTests>, ToolError> {
        let policy = Policed {
            mode: None,
            tightened: None,
            modes: Vec::new(),
            ..policy
        };
        own.door
            .update(|generation| govern(generation, &own.rules, Chosen::default(), &policy));
        let workspace = &self.workspace;
        cases::run(&own.door, &own.scope, workspace, &policy.cases, filter).await
    }

    /// What did not load, as failed tests of those files; each file is told of once.
    fn faults(&self, report: Report) -> Vec<(String, Tested)> {
        let mut told = self.told.borrow_mut();
        let new = report.problems.into_iter();
        let new = new.filter(|problem| told.insert(problem.file.clone()));
        new.map(|problem| {
            let error = ToolError {
                message: format!("{}: {}", problem.place(), problem.error.message),
                ..problem.error.clone()
            };
            let test = unloaded(&problem.file, &error, Duration::ZERO);
            (problem.file, test)
        })
        .collect()
    }

    /// Runs one example as a test: its files are there, the call is made, its text holds what it shows.
    async fn example(
        &self,
        own: &Own,
        id: &str,
        name: String,
        example: Shown,
    ) -> Result<Tested, ToolError> {
        let start = Instant::now();
        own.door.services().ledger.forget(&self.workspace);
        lua::empty(&self.workspace)?;
        let shown = self.shown(own, id, &example).await;
        let message = match shown {
            Err(error) if error.kind == Kind::Cancelled && own.scope.node().is_closed() => {
                return Err(error);
            }
            Err(error) => Some(format!("{}: {error}\n  try: {}", error.kind, error.hint())),
            Ok(text) if text.contains(&example.shows) => None,
            Ok(text) => Some(format!("expected {:?} in\n{text}", example.shows)),
        };
        let failed = message.is_some();
        Ok(Tested {
            name,
            line: None,
            status: if failed {
                Status::Failed
            } else {
                Status::Passed
            },
            message,
            duration: start.elapsed(),
        })
    }

    async fn shown(&self, own: &Own, id: &str, example: &Shown) -> Result<String, ToolError> {
        lua::fill(&self.workspace, &example.files)?;
        let args = match data::parse(&example.args) {
            Ok(data::Data::Map(args)) => args,
            _ => {
                return Err(ToolError::argument(
                    "the `args` of the example are no JSON object",
                ));
            }
        };
        let scope = own.scope.block()?;
        let guard = Guard::new(Arc::clone(scope.node()));
        let call = Call {
            tool: id.to_owned(),
            arguments: Arguments::Named(args),
            destination: Destination::Program,
        };
        let call = Guarded::new(guard, Arc::clone(&own.door).call(&scope, call));
        match tokio::time::timeout(LIMIT, call).await {
            Ok(outcome) => Ok(outcome?.text),
            Err(_) => {
                let message = format!("it was not done after {} s", LIMIT.as_secs());
                Err(ToolError::new(Kind::Timeout, message))
            }
        }
    }

    /// A door with the shipped tools, behind it a fresh state, and a scope that ends with the session.
    fn own(&self) -> Result<Own, ToolError> {
        let session = self.session;
        let theirs = &session.services;
        let files = Files::new(
            self.workspace.clone(),
            self.workspace.clone(),
            theirs.files.home().map(PathBuf::from),
            self.workspace.with_file_name("locks"),
        );
        let services = crate::tool::Services {
            files: Arc::new(files),
            ledger: Arc::default(),
            spills: Arc::clone(&theirs.spills),
            session: theirs.session.clone(),
            human: Arc::new(Nobody),
            sink: Arc::new(OnlyLog(Arc::clone(&theirs.sink))),
            named: Vec::new(),
            limits: theirs.limits,
            inherited: Arc::clone(&theirs.inherited),
            environment: Arc::clone(&theirs.environment),
            secrets: theirs.secrets.clone(),
            keys: Arc::clone(&theirs.keys),
            clock: theirs.clock,
            thinking: Arc::new(Thinking::default()),
            approved: Arc::default(),
            breaker: Arc::default(),
            planning: Arc::default(),
            todos: Arc::default(),
        };
        let rules = session.rules_in(&self.workspace);
        let mocks = Mocks::default();
        let tools = lua::fenced(&crate::tools::shipped(), &mocks);
        let generation = Generation::new(tools, Arc::new(rules.clone()));
        let door = Dispatch::new(generation, Arc::new(services), Arc::new(Recent::default()));
        let mut settings = Settings::new(Handle::current());
        settings.is_quiet = true;
        settings.testing = Some(TestWorld {
            workspace: self.workspace.clone(),
            mocks: mocks.clone(),
        });
        let vm = Vm::new(&door, settings);
        let scope = session.scope()?;
        Ok(Own {
            door,
            vm,
            scope,
            rules,
            mode: session.mode(),
            mocks,
        })
    }
}

/// Loads what `folders` hold over the shipped tools, of which those that run programs are fenced.
async fn load(own: &Own, folders: &[Folder]) -> Result<(Report, Policed), ToolError> {
    let mut files = layers::shipped();
    for folder in folders {
        files.extend(folder.files.clone()?);
    }
    // A folder may be there twice, as that of a test and as a folder of tools.
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert((file.role, file.name.clone(), file.shown.clone())));
    let files = Sources::of(files).files;
    let tools = lua::fenced(&crate::tools::shipped(), &own.mocks);
    let profile = own.scope.profile().map(str::to_owned);
    let enforce =
        Box::new(move |policy: &Policed, _: &Report| is_there(profile.as_deref(), policy));
    let loaded = own.vm.load(&own.scope, tools, files, enforce).await?;
    let (report, policy) = (loaded.report.clone(), loaded.policy.clone());
    own.door
        .update(|generation| install(generation, &own.rules, own.mode, loaded, &None));
    Ok((report, policy))
}

/// The one failed test that stands for a file which gave none.
fn unloaded(file: &str, error: &ToolError, duration: Duration) -> Tested {
    let hint = error.hint.as_ref().map(|hint| format!("\n  try: {hint}"));
    Tested {
        name: file.to_owned(),
        line: None,
        status: Status::Failed,
        message: Some(format!("{}{}", error.message, hint.unwrap_or_default())),
        duration,
    }
}

/// Passes on what is logged, and nothing of the calls that tests make.
struct OnlyLog(Arc<dyn Sink>);

impl Sink for OnlyLog {
    fn emit(&self, event: Event) {
        if matches!(event, Event::Log { .. }) {
            self.0.emit(event);
        }
    }
}
