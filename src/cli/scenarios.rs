//! `breccia scenarios`: list, show and copy the built-in ones, and print what keys a scenario takes.

use breccia::base::error::{Error, Result};
use breccia::campaign::parse as campaign;
use breccia::model::scenario::Source;
use breccia::scenario::bundled::built_in;
use breccia::scenario::keys;
use std::path::PathBuf;

/// List, show or copy the built-in scenarios; print the keys of a scenario
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// Machine-readable list
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Print a scenario
    Show {
        /// its name
        name: String,
    },
    /// Copy a scenario to a file
    Copy {
        /// its name
        name: String,
        /// file or directory (default: here)
        to: Option<PathBuf>,
    },
    /// Print all keys with type, unit, default, meaning and example
    Keys {
        /// of a campaign instead of a scenario
        #[arg(long)]
        campaign: bool,
    },
    /// Print the JSON schema by which editors complete and check files
    Schema {
        /// of a campaign instead of a scenario
        #[arg(long)]
        campaign: bool,
    },
}

/// `breccia scenarios`.
pub(super) fn run(args: Args) -> Result<u8> {
    match args.action {
        None if args.json => {
            let list: Vec<_> =
                built_in().into_iter().map(|b| serde_json::json!({ "name": b.name, "title": b.title })).collect();
            println!("{}", serde_json::Value::from(list));
        }
        None => {
            let list = built_in();
            let width = list.iter().map(|b| b.name.len()).max().unwrap_or(0);
            list.iter().for_each(|b| println!("{:<width$}  {}", b.name, b.title));
        }
        Some(Action::Show { name }) => print!("{}", Source::find(&name)?.text),
        Some(Action::Copy { name, to }) => {
            let to = to.unwrap_or_else(|| PathBuf::from("."));
            let to = if to.is_dir() { to.join(format!("{name}.toml")) } else { to };
            if to.exists() {
                return Err(Error::Usage(format!("{} exists already; choose another name", to.display())));
            }
            std::fs::write(&to, Source::find(&name)?.text).map_err(|e| Error::io(&to, e))?;
            println!("{}", to.display());
        }
        Some(Action::Keys { campaign: false }) => print!("{}", keys::reference()),
        Some(Action::Keys { campaign: true }) => print!("{}", campaign::keys_reference()),
        Some(Action::Schema { campaign: false }) => print!("{}", keys::json_schema()),
        Some(Action::Schema { campaign: true }) => print!("{}", campaign::json_schema()),
    }
    Ok(0)
}
