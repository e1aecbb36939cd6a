//! The `pelagic` program: parses arguments, dispatches, prints one error, chooses the exit code.

fn main() -> std::process::ExitCode {
    pelagic::cli::main()
}
