//! The command line: scenarios, runs, campaigns, and what goes wrong with them.

#![allow(unreachable_pub, reason = "a test program shows nothing to others")]

#[path = "../common/mod.rs"]
mod common;

mod asteroid_warnings;
mod at_scale;
mod bad_rigid_scenarios;
mod bad_scenarios;
mod bench;
mod campaign_errors;
mod campaign_figures;
mod campaign_pitfalls;
mod campaigns;
mod cluster;
mod command_line;
mod completion;
mod damaged_runs;
mod device_choice;
mod disk;
mod durability;
mod examples;
mod floors;
mod generated;
mod hostile_files;
mod house;
mod info;
mod inputs;
mod kept_tables;
mod keys;
mod library;
mod lost_device;
mod machine;
mod not_in_silence;
mod own_law;
mod package;
mod paper_pages;
mod places_and_damage;
mod run_and_resume;
mod safety_map;
mod said_at_once;
mod scenario_edges;
mod scenarios;
mod site_commands;
mod snapshots;
mod sweep;
mod sweep_damaged;
mod sweep_interrupted;
mod sweep_pictures;
mod taken_up;
mod threads;
mod timing;
mod verify;
