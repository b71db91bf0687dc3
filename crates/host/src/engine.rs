//! Time limits of the guests, the same in every runtime.

use std::fmt;
use std::thread;
use std::time::Duration;

use wasmtime::{Config, Engine, Trap};

use crate::response::AdmissionResponse;

/// policy-server ticks once a second and allows two ticks for a call, so a call is cut off after one
/// to two seconds (`--policy-timeout`).
const TICK: Duration = Duration::from_secs(1);

/// In ticks.
pub(crate) const DEADLINE: u64 = 2;

/// An engine whose clock goes on as long as the engine lives.
pub(crate) fn ticking() -> wasmtime::Result<Engine> {
    let mut config = Config::new();
    config.epoch_interruption(true);
    let engine = Engine::new(&config)?;
    let weak = engine.weak();
    thread::spawn(move || {
        loop {
            thread::sleep(TICK);
            match weak.upgrade() {
                Some(engine) => engine.increment_epoch(),
                None => break,
            }
        }
    });
    Ok(engine)
}

/// A guest function that did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GuestError {
    /// Cut off after two seconds.
    TimedOut,
    /// It returned an error or trapped.
    Failed(String),
}

impl fmt::Display for GuestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TimedOut => f.write_str(
                "Policy execution interrupted because it exceeded the allowed execution time",
            ),
            Self::Failed(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for GuestError {}

impl From<wasmtime::Error> for GuestError {
    fn from(error: wasmtime::Error) -> Self {
        match error.downcast_ref::<Trap>() {
            Some(Trap::Interrupt) => Self::TimedOut,
            _ => Self::Failed(format!("{error:#}")),
        }
    }
}

impl GuestError {
    /// What policy-server answers.
    pub(crate) fn response(&self, uid: &str) -> AdmissionResponse {
        match self {
            Self::TimedOut => AdmissionResponse::reject(uid, self.to_string(), 500),
            Self::Failed(text) => AdmissionResponse::internal_error(uid, text),
        }
    }
}
