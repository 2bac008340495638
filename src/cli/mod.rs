//! One file per subcommand.
/// Entry.
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
