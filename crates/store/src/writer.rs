//! Group commit: writes that arrive together share one transaction and one wait for the disk.
//!
//! One task has the one writing connection. It takes what waits in its queue,
//! commits it, and only then answers each caller. Each write stands in a
//! savepoint of its own, so one that fails leaves its neighbours alone.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::error::{Fault, StoreError};
use crate::limits::Limits;
use crate::lock::Lock;

/// One change of the database, as a value.
///
/// It may be applied twice, when the first transaction came to nothing; so it
/// has no effect but on the database.
pub(crate) trait Write: Send + Sync + 'static {
    /// What the caller gets once it is committed.
    type Answer: Send + 'static;

    /// Bytes of its texts.
    fn bytes(&self) -> usize;

    /// Makes the change, within a transaction that is open already.
    fn apply<'a>(
        &'a self,
        connection: &'a mut SqliteConnection,
    ) -> impl Future<Output = Result<Self::Answer, Fault>> + Send + 'a;
}

/// The way to the writing task.
#[derive(Debug)]
pub(crate) struct Writer {
    queue: mpsc::Sender<Queued>,
    room: Arc<Semaphore>,
    closing: CancellationToken,
    closed: CancellationToken,
}

/// Bytes that one permit of `room` stands for.
const UNIT: usize = 1024;

struct Queued {
    job: Box<dyn Job>,
    _room: OwnedSemaphorePermit,
}

impl Writer {
    /// Starts the writing task. It ends, and lets go of the lock, after
    /// [`Self::close`] or with the last handle.
    pub(crate) fn start(
        connection: SqliteConnection,
        file: PathBuf,
        lock: Lock,
        limits: &Limits,
    ) -> Self {
        let (queue, waiting) = mpsc::channel(limits.queued_writes);
        let closing = CancellationToken::new();
        let closed = CancellationToken::new();
        let task = Task { connection, file, per_commit: limits.writes_per_commit, lock };
        let finished = closed.clone().drop_guard();
        let asked = closing.clone();
        tokio::spawn(async move {
            task.run(waiting, asked).await;
            drop(finished);
        });
        let room = Arc::new(Semaphore::new(limits.queued_bytes.div_ceil(UNIT)));
        Self { queue, room, closing, closed }
    }

    /// Queues `write`, waiting for a place, and waits until it is committed.
    /// Writes that one caller queues are committed in that order. A caller that
    /// gives up while it waits for the commit does not take the write back.
    ///
    /// The caller has seen to it that `write` is no larger than the queue.
    pub(crate) async fn write<W: Write>(&self, write: W) -> Result<W::Answer, StoreError> {
        let units = u32::try_from(write.bytes().div_ceil(UNIT)).unwrap_or(u32::MAX);
        let room = Arc::clone(&self.room).acquire_many_owned(units).await;
        let (reply, answer) = oneshot::channel();
        let job = Box::new(Pending { write, answer: None, reply });
        let queued = Queued { job, _room: room.map_err(|_| StoreError::Closed)? };
        self.queue.send(queued).await.map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Commits what is queued and closes the database.
    pub(crate) async fn close(&self) {
        self.closing.cancel();
        self.closed.cancelled().await;
    }
}

/// A write whose caller waits, of any kind.
trait Job: Send {
    fn apply<'a>(
        &'a mut self,
        connection: &'a mut SqliteConnection,
    ) -> BoxFuture<'a, Result<(), Fault>>;

    /// Tells the caller how it ended: after the commit, or instead of it.
    fn answer(self: Box<Self>, outcome: Result<(), StoreError>);
}

struct Pending<W: Write> {
    write: W,
    answer: Option<W::Answer>,
    reply: oneshot::Sender<Result<W::Answer, StoreError>>,
}

impl<W: Write> Job for Pending<W> {
    fn apply<'a>(
        &'a mut self,
        connection: &'a mut SqliteConnection,
    ) -> BoxFuture<'a, Result<(), Fault>> {
        Box::pin(async move {
            self.answer = Some(self.write.apply(connection).await?);
            Ok(())
        })
    }

    fn answer(self: Box<Self>, outcome: Result<(), StoreError>) {
        let Self { answer, reply, .. } = *self;
        // A caller that has gone needs no answer.
        let _ = reply.send(outcome.and_then(|()| answer.ok_or(StoreError::Closed)));
    }
}

/// Why a transaction came to nothing.
enum Lost {
    /// It could not begin.
    NotBegun(StoreError),
    /// SQLite took it back, with all writes in it.
    TakenBack(StoreError),
}

struct Task {
    connection: SqliteConnection,
    file: PathBuf,
    per_commit: usize,
    lock: Lock,
}

impl Task {
    async fn run(mut self, mut waiting: mpsc::Receiver<Queued>, closing: CancellationToken) {
        let mut batch = Vec::new();
        loop {
            tokio::select! {
                biased;
                () = closing.cancelled(), if !waiting.is_closed() => waiting.close(),
                taken = waiting.recv_many(&mut batch, self.per_commit) => {
                    if taken == 0 {
                        break;
                    }
                    self.commit(std::mem::take(&mut batch)).await;
                }
            }
        }
        if let Err(error) = self.connection.close().await {
            tracing::warn!(file = %self.file.display(), %error, "the database did not close well");
        }
        drop(self.lock);
    }

    /// Commits all of `batch`, and answers.
    async fn commit(&mut self, mut batch: Vec<Queued>) {
        match self.transact(&mut batch).await {
            Ok(outcomes) => {
                for (queued, outcome) in batch.into_iter().zip(outcomes) {
                    queued.job.answer(outcome);
                }
            }
            // Which of them was to blame shows when each goes alone.
            Err(Lost::TakenBack(_)) if batch.len() > 1 => {
                for queued in batch {
                    Box::pin(self.commit(vec![queued])).await;
                }
            }
            Err(Lost::NotBegun(error) | Lost::TakenBack(error)) => {
                for queued in batch {
                    queued.job.answer(Err(error.clone()));
                }
            }
        }
    }

    /// One transaction; its result says for each write how that went.
    async fn transact(
        &mut self,
        batch: &mut [Queued],
    ) -> Result<Vec<Result<(), StoreError>>, Lost> {
        self.run_sql("BEGIN IMMEDIATE").await.map_err(Lost::NotBegun)?;
        let outcomes = self.apply_all(batch).await;
        if outcomes.is_err() {
            // Usually there is nothing left to roll back, which is an error too.
            let _ = self.run_sql("ROLLBACK").await;
        }
        outcomes.map_err(Lost::TakenBack)
    }

    async fn apply_all(
        &mut self,
        batch: &mut [Queued],
    ) -> Result<Vec<Result<(), StoreError>>, StoreError> {
        let mut outcomes = Vec::with_capacity(batch.len());
        for queued in batch {
            outcomes.push(self.apply(queued.job.as_mut()).await?);
        }
        self.run_sql("COMMIT").await?;
        Ok(outcomes)
    }

    /// One write in its savepoint. The outer error means that the transaction
    /// is gone.
    async fn apply(&mut self, job: &mut dyn Job) -> Result<Result<(), StoreError>, StoreError> {
        self.run_sql("SAVEPOINT one").await?;
        let outcome = job.apply(&mut self.connection).await.map_err(|fault| fault.at(&self.file));
        if let Err(error) = &outcome {
            // A full disk, for one, ends the whole transaction; its savepoints with it.
            self.run_sql("ROLLBACK TO one").await.map_err(|_| error.clone())?;
        }
        self.run_sql("RELEASE one").await?;
        Ok(outcome)
    }

    async fn run_sql(&mut self, sql: &'static str) -> Result<(), StoreError> {
        match sqlx::query(sql).execute(&mut self.connection).await {
            Ok(_) => Ok(()),
            Err(error) => Err(StoreError::from_sql(&error, &self.file)),
        }
    }
}
