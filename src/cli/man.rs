//! `breccia man`: manual pages, made from the commands' own help.

use breccia::base::disk::make_folder;
use breccia::base::error::{Error, Result};
use std::path::PathBuf;

/// Write manual pages, one a command: `breccia man ~/.local/share/man/man1`, then `man breccia-run`
#[derive(clap::Args)]
pub(super) struct Args {
    /// Folder that gets them; pages of the same names in it are replaced
    dir: PathBuf,
}

/// `breccia man`; `program` is the whole command line.
pub(super) fn run(args: Args, program: clap::Command) -> Result<u8> {
    make_folder(&args.dir)?;
    clap_mangen::generate_to(program, &args.dir).map_err(|e| Error::io(&args.dir, e))?;
    println!("{}", args.dir.display());
    Ok(0)
}
