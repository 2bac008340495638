//! `breccia view`: the page of a run, served to a browser.

use breccia::base::error::Result;
use breccia::view::server::Server;
use std::net::IpAddr;
use std::path::PathBuf;

/// Show a run in a browser, also while it goes on: bodies, series, expectations; ends with Ctrl-C
#[derive(clap::Args)]
pub(super) struct Args {
    /// Run directory
    dir: PathBuf,
    /// Port [default: a free one]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Address to listen on; with any but the machine's own, others who know the page's address can read the run
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: IpAddr,
    /// The page's address as one JSON line
    #[arg(long)]
    json: bool,
}

/// `breccia view`.
pub(super) fn run(args: Args) -> Result<u8> {
    let server = Server::open(&args.dir, args.host, args.port)?;
    let (url, port) = (server.url(), server.port());
    if args.json {
        println!("{}", serde_json::json!({ "url": url, "port": port }));
    } else {
        println!("{url}");
        if args.host.is_loopback() {
            eprintln!("open this address in a browser; Ctrl-C ends the page");
            eprintln!("from another machine: ssh -L {port}:127.0.0.1:{port} THIS_MACHINE, then the same address there");
        } else {
            eprintln!("WARNING: all who can reach {} and know the word in the address can read the run", args.host);
        }
    }
    server.serve()?;
    Ok(0)
}
