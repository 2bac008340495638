//! A campaign as it was read.

use super::analysis::Analysis;
use super::plot::Plot;

/// Many runs of one scenario.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// the file it came from
    pub file: String,
    /// its text
    pub text: String,
    /// names the directory
    pub name: String,
    /// for people
    pub title: String,
    /// scenario as `breccia run` takes it: a path, or the name of a built-in one
    pub scenario: String,
    /// what computes, as `breccia run --engine` takes it
    pub engine: String,
    /// what varies, in the order of the table: labels and keys
    pub columns: Vec<String>,
    /// in the order of their numbers
    pub cases: Vec<Case>,
    /// what is measured of finished cases
    pub analysis: Option<Analysis>,
    /// pictures of the table
    pub plots: Vec<Plot>,
}

/// One run.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// number, from 0
    pub index: usize,
    /// name of its directory: number and what varies
    pub name: String,
    /// `key=value` as `breccia run --set` takes them
    pub set: Vec<String>,
    /// values of [`Campaign::columns`]; none where the case leaves the scenario's own
    pub values: Vec<Option<String>>,
}
