//! What ends the applications when the platform has no time left to: when it is
//! killed, or crashes.
//!
//! A small shell process holds the reading end of a pipe and a list of process
//! groups. When the platform is gone, however that came about, the pipe ends; then
//! the groups that are still on the list are asked to end, and killed two seconds
//! later. (The system could do the like by `PR_SET_PDEATHSIG`, for the first process
//! of a group alone, and tied to the thread that started it.) On Windows, jobs do this.

use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// It is no member of a terminal's foreground group, and so outlives a `Ctrl-C`.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
groups=
while read -r verb group; do
  case $verb in
    hold) groups="$groups $group" ;;
    drop)
      kept=
      for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done
      groups=$kept ;;
  esac
done
[ -n "$groups" ] || exit 0
for one in $groups; do kill -s TERM -- "-$one"; done 2>/dev/null
sleep 2
for one in $groups; do kill -s KILL -- "-$one"; done 2>/dev/null
exit 0
"#;

/// Started with the first process; then it lives as long as the platform.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    process: Mutex<State>,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    None,
    Watching(Child, ChildStdin),
    /// It cannot be started; told once.
    Failed,
}

impl Guard {
    /// A process group lives. A few bytes into a pipe: this does not wait.
    pub(crate) fn hold(&self, group: u32) {
        if cfg!(not(unix)) {
            return;
        }
        let mut state = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::None) {
            *state = match start() {
                Ok((child, pipe)) => State::Watching(child, pipe),
                Err(error) => {
                    tracing::warn!(%error, "applications would outlive a crash of the platform");
                    State::Failed
                }
            };
        }
        tell(&mut state, "hold", group);
    }

    /// A process group has ended.
    pub(crate) fn release(&self, group: u32) {
        let mut state = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        tell(&mut state, "drop", group);
    }

    /// Ends it, and what is still on its list.
    pub(crate) async fn close(&self) {
        let state = {
            let mut state = self.process.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *state, State::Failed)
        };
        if let State::Watching(mut child, pipe) = state {
            drop(pipe);
            let ended = tokio::task::spawn_blocking(move || child.wait()).await;
            if let Ok(Err(error)) = ended {
                tracing::warn!(%error, "the guard of the applications has not ended");
            }
        }
    }
}

fn start() -> io::Result<(Child, ChildStdin)> {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", SCRIPT]).env_clear().env("PATH", "/usr/bin:/bin");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.current_dir("/").spawn()?;
    let pipe = child.stdin.take().ok_or_else(|| io::Error::other("it has no standard input"))?;
    Ok((child, pipe))
}

fn tell(state: &mut State, verb: &str, group: u32) {
    let State::Watching(_, pipe) = &mut *state else { return };
    if let Err(error) = writeln!(pipe, "{verb} {group}") {
        tracing::warn!(%error, "the guard of the applications is gone");
        *state = State::None;
    }
}
