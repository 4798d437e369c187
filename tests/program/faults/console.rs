//! The events of a Windows console end a run as signals do.

#![expect(unsafe_code, reason = "system calls that std does not have")]

use super::assert_continues_after;
use std::env;
use std::process::Command;
use std::thread;
use std::time::Duration;
use windows_sys::Win32::System::Console::{
    AllocConsole, CTRL_BREAK_EVENT, CTRL_C_EVENT, FreeConsole, GenerateConsoleCtrlEvent,
    SetConsoleCtrlHandler,
};

/// Is set for a process that gives itself a console of its own.
const OWN_CONSOLE: &str = "NINEFOLD_TEST_OWN_CONSOLE";

unsafe extern "system" fn ignore(_: u32) -> i32 {
    1
}

/// All processes of a console get its events. So this test runs again, in a console of its own.
#[test]
fn ctrl_c_and_ctrl_break_end_a_run_in_good_order() {
    if env::var_os(OWN_CONSOLE).is_none() {
        let mut again = Command::new(env::current_exe().unwrap());
        again.args(["faults::console", "--nocapture"]).env(OWN_CONSOLE, "yes");
        let again = again.output().unwrap();
        let said = String::from_utf8_lossy(&again.stderr);
        assert!(again.status.success(), "{said}");
        eprint!("{said}");
        return;
    }
    // SAFETY: the handler has the type that the system calls. No call touches memory.
    let can_interrupt = unsafe {
        FreeConsole();
        assert!(AllocConsole() != 0 && SetConsoleCtrlHandler(Some(ignore), 1) != 0);
        // Without a display, wine ends the new console after a moment.
        thread::sleep(Duration::from_millis(500));
        |event| GenerateConsoleCtrlEvent(event, 0) != 0
    };
    for (event, message) in [(CTRL_C_EVENT, "Ctrl-C"), (CTRL_BREAK_EVENT, "Ctrl-Break")] {
        if can_interrupt(event) {
            assert_continues_after(|_| assert!(can_interrupt(event)), message, 130);
        } else {
            // wine 8 has no Ctrl-Break.
            eprintln!("skipped: this console has no {message}");
        }
    }
}
