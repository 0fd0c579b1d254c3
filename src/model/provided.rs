//! A model of a provider, over HTTP: the request in the provider's format, the answer as it comes.
//!
//! A request that failed is sent again only while nothing of its answer was handed on. What keeps a connection busy and
//! says nothing does not keep it: the idle limit counts events.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use tokio::time::{Instant, sleep, timeout_at};

use super::chosen::Chosen;
use super::failed::{broken, failed, garbled, unheard};
use super::keys::Keys;
use super::speak::{About, Speak};
use crate::chat::{Decode, Delta, Event, Events, FailureKind, Request, StreamError, lay_header};
use crate::error::ToolError;
use crate::net::{Decision, Net, NetError, NetErrorKind, Post, Retried, Retry};

/// How many bytes of an answer of failure are read.
const MOST_OF_FAILURE: usize = 64 << 10;

/// A model of a provider.
pub struct Provided {
    chosen: Arc<Chosen>,
    about: About,
    keys: Arc<Keys>,
    net: Arc<Net>,
}

impl Provided {
    /// The model that was chosen, spoken to with the key that `keys` has for it.
    pub fn new(chosen: Chosen, keys: Arc<Keys>, net: Arc<Net>) -> Provided {
        let about = About {
            window: chosen.facts.window,
            max_output: chosen.facts.max_output,
            prices: chosen.facts.prices,
        };
        Provided {
            chosen: Arc::new(chosen),
            about,
            keys,
            net,
        }
    }
}

impl Speak for Provided {
    fn name(&self) -> &str {
        &self.chosen.name
    }

    fn id(&self) -> &str {
        &self.chosen.id
    }

    fn about(&self) -> &About {
        &self.about
    }

    fn speak(&self, mut request: Request) -> BoxStream<'static, Result<Delta, ToolError>> {
        let provider = &self.chosen.provider;
        let quirks = &self.chosen.facts.quirks;
        request.effort = request.effort.or(self.chosen.facts.effort);
        let speaking = Speaking {
            post: Post {
                url: provider.kind.url(&provider.base_url, &request),
                headers: provider.kind.headers(&request, quirks),
                body: provider.kind.body(&request, quirks),
                ca: provider.ca.clone(),
                proxy: provider.proxy.clone(),
                connect_timeout: provider.connect,
            },
            retry: Retry {
                attempts: provider.attempts,
                ..Retry::default()
            },
            chosen: Arc::clone(&self.chosen),
            keys: Arc::clone(&self.keys),
            is_keyed: false,
            net: Arc::clone(&self.net),
            request,
            attempt: 0,
            is_shown: false,
            is_over: false,
            ready: VecDeque::new(),
            reading: None,
        };
        stream::unfold(speaking, |mut speaking| async move {
            let next = speaking.next().await?;
            Some((next, speaking))
        })
        .boxed()
    }
}

/// One answer on its way.
struct Speaking {
    chosen: Arc<Chosen>,
    keys: Arc<Keys>,
    /// Whether the headers hold the key, and what else is the provider's own.
    is_keyed: bool,
    net: Arc<Net>,
    request: Request,
    post: Post,
    retry: Retry,
    /// How often it was sent.
    attempt: u32,
    /// Whether anything of the answer was handed on.
    is_shown: bool,
    is_over: bool,
    ready: VecDeque<Delta>,
    reading: Option<Reading>,
}

/// An answer that is coming in.
struct Reading {
    chunks: BoxStream<'static, Result<Bytes, NetError>>,
    events: Events,
    decoder: Box<dyn Decode>,
    /// When it is given up, unless an event comes before.
    deadline: Instant,
}

/// What an attempt came to.
enum Trouble {
    /// It may be sent again: how it failed, what the server said of waiting, and what to say if it is not.
    Again(Retried, Option<String>, ToolError),
    /// It is over.
    Final(ToolError),
}

impl Speaking {
    async fn next(&mut self) -> Option<Result<Delta, ToolError>> {
        loop {
            if let Some(delta) = self.ready.pop_front() {
                self.is_shown |= !matches!(delta, Delta::Usage(_));
                return Some(Ok(delta));
            }
            if self.is_over {
                return None;
            }
            let step = match self.reading.is_some() {
                true => self.read().await,
                false => self.send().await,
            };
            if let Err(trouble) = step
                && let Err(error) = self.settle(trouble).await
            {
                self.is_over = true;
                return Some(Err(error));
            }
        }
    }

    /// Sends the request, and waits for the head of the answer.
    async fn send(&mut self) -> Result<(), Trouble> {
        self.key().await.map_err(Trouble::Final)?;
        self.attempt += 1;
        let idle = self.chosen.provider.idle;
        let deadline = Instant::now() + self.chosen.provider.connect + idle;
        let sent = timeout_at(deadline, self.net.post(self.post.clone())).await;
        let response = match sent {
            Err(_) => return Err(self.stalled(idle)),
            Ok(Err(error)) => {
                let kind = Retried::Broken(error.kind);
                return Err(Trouble::Again(
                    kind,
                    None,
                    broken(&error, &self.chosen.name),
                ));
            }
            Ok(Ok(response)) => response,
        };
        let provider = &self.chosen.provider;
        if !response.is_success() {
            let (status, kind) = (response.status, response.content_type.clone());
            let wait = response.retry_after.clone();
            let read = timeout_at(deadline, response.read_all(MOST_OF_FAILURE)).await;
            let body = read.ok().and_then(Result::ok).unwrap_or_default();
            let failure = provider.kind.failure(status, kind.as_deref(), &body);
            let error = failed(&failure, &self.chosen.name);
            if failure.kind == FailureKind::Auth {
                self.keys.refused(&self.chosen).await;
            }
            return Err(match failure.kind.is_transient() {
                true => Trouble::Again(Retried::Status(status), wait, error),
                false => Trouble::Final(error),
            });
        }
        self.reading = Some(Reading {
            chunks: response.chunks,
            events: Events::new(),
            decoder: provider
                .kind
                .decoder(&self.request, &self.chosen.facts.quirks),
            deadline: Instant::now() + idle,
        });
        Ok(())
    }

    /// Puts the provider's own headers over those of its format.
    async fn key(&mut self) -> Result<(), ToolError> {
        if !self.is_keyed {
            for (name, value) in self.keys.headers(&self.chosen).await? {
                lay_header(&mut self.post.headers, &name, &value);
            }
            self.is_keyed = true;
        }
        Ok(())
    }

    /// Reads what comes next of the answer.
    async fn read(&mut self) -> Result<(), Trouble> {
        let idle = self.chosen.provider.idle;
        let Some(reading) = &mut self.reading else {
            return Ok(());
        };
        let chunk = timeout_at(reading.deadline, reading.chunks.next()).await;
        let events = match chunk {
            Err(_) => return Err(self.stalled(idle)),
            Ok(Some(Ok(bytes))) => reading.events.push(&bytes),
            Ok(Some(Err(error))) => {
                let kind = Retried::Broken(error.kind);
                return Err(Trouble::Again(
                    kind,
                    None,
                    broken(&error, &self.chosen.name),
                ));
            }
            Ok(None) => {
                let events = reading.events.end();
                let ended = events.and_then(|events| {
                    let mut deltas = decoded(&mut *reading.decoder, &events)?;
                    deltas.extend(reading.decoder.end()?);
                    Ok(deltas)
                });
                self.ready
                    .extend(ended.map_err(|error| self.garbled(&error))?);
                self.is_over = true;
                return Ok(());
            }
        };
        let deltas = events.and_then(|events| {
            if !events.is_empty() {
                reading.deadline = Instant::now() + idle;
            }
            decoded(&mut *reading.decoder, &events)
        });
        self.ready
            .extend(deltas.map_err(|error| self.garbled(&error))?);
        Ok(())
    }

    /// What is done about a failure: nothing, after a wait, where it is sent again.
    async fn settle(&mut self, trouble: Trouble) -> Result<(), ToolError> {
        self.reading = None;
        let (retried, wait, error) = match trouble {
            Trouble::Final(error) => return Err(error),
            Trouble::Again(_, _, error) if self.is_shown => return Err(error),
            Trouble::Again(retried, wait, error) => (retried, wait, error),
        };
        let decision = self.retry.next(
            self.attempt,
            retried,
            wait.as_deref(),
            SystemTime::now(),
            chance(),
        );
        match decision {
            Decision::Wait(time) => {
                self.ready.clear();
                sleep(time).await;
                Ok(())
            }
            Decision::GiveUp(enough) => {
                let message = format!("{}; {enough}", error.message);
                Err(ToolError { message, ..error })
            }
        }
    }

    fn stalled(&self, idle: Duration) -> Trouble {
        let error = unheard(&self.chosen.name, idle);
        Trouble::Again(Retried::Broken(NetErrorKind::Timeout), None, error)
    }

    fn garbled(&self, error: &StreamError) -> Trouble {
        let told = match error {
            StreamError::Failed(failure) => failed(failure, &self.chosen.name),
            error => garbled(error, &self.chosen.name),
        };
        match error.is_transient() {
            true => Trouble::Again(Retried::Broken(NetErrorKind::Reset), None, told),
            false => Trouble::Final(told),
        }
    }
}

fn decoded(decoder: &mut dyn Decode, events: &[Event]) -> Result<Vec<Delta>, StreamError> {
    let mut deltas = Vec::new();
    for event in events {
        deltas.extend(decoder.event(event)?);
    }
    Ok(deltas)
}

/// A number from 0 to 1 that differs from time to time.
fn chance() -> f64 {
    let number = RandomState::new().hash_one(Instant::now());
    (number >> 11) as f64 / (1_u64 << 53) as f64
}
