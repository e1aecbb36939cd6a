//! The console that Windows opens for a program that was started from its desktop; elsewhere there is none.

/// Closes the console if no other program uses it: a window is there now.
pub fn close_own() {
    #[cfg(windows)]
    if windows::is_own() {
        windows::close();
    }
}

/// Waits for Enter if the console is the program's own and would close with it: a message must be read first.
pub fn hold_own() {
    #[cfg(windows)]
    if windows::is_own() && std::io::IsTerminal::is_terminal(&std::io::stdin()) {
        crate::stderr::say("Press Enter to close this window.");
        // The program ends on any answer.
        let _ = std::io::stdin().read_line(&mut String::new());
    }
}

#[cfg(windows)]
mod windows {
    #![allow(unsafe_code, reason = "two calls of the system, sound as their notes say")]

    use windows_sys::Win32::System::Console::{FreeConsole, GetConsoleProcessList};

    /// Whether this program alone uses its console.
    pub fn is_own() -> bool {
        let mut programs = [0; 2];
        // SAFETY: there is room for as many numbers as it is told.
        unsafe { GetConsoleProcessList(programs.as_mut_ptr(), programs.len() as u32) == 1 }
    }

    pub fn close() {
        // SAFETY: takes nothing; what is written afterwards goes nowhere.
        unsafe { FreeConsole() };
    }
}
