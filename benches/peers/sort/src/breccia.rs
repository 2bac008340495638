//! What `breccia bench` says of its sort.

use crate::{Result, Times};
use serde_json::Value;
use std::process::Command;

pub fn times(adapter: &str, n: usize) -> Result<Times> {
    let program = std::env::var("BRECCIA").unwrap_or_else(|_| "target/release/breccia".into());
    let mut command = Command::new(program);
    command.args(["bench", "--only", "sort", "--bodies", &n.to_string(), "--json"]);
    if !adapter.is_empty() {
        command.args(["--gpu", adapter]);
    }
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned().into());
    }
    let report: Value = serde_json::from_slice(&output.stdout)?;
    let rows = report["rows"].as_array().ok_or("no rows in the report")?;
    let of_32_bits = |row: &&Value| row["what"].as_str().is_some_and(|what| what.contains("32-bit"));
    let row = rows.iter().find(of_32_bits).ok_or("no sort of 32-bit keys in the report")?;
    let resident = row["seconds_least"].as_f64().ok_or("no time in the report")?;
    Ok(Times { resident, with_transfers: None, right: true })
}
