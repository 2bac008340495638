//! Passes: each against its truth, as shader compilers take them, and what damages them.

#![allow(unreachable_pub, reason = "a test program shows nothing to others")]

#[path = "../common/mod.rs"]
mod common;

mod builtins;
mod damaged;
mod divisors;
mod hlsl_rules;
mod layout;
mod neighbours;
mod passes;
mod perturbed;
mod pipelines_alike;
mod plan_refusals;
mod properties;
mod reassociated;
mod shader_compilers;
mod shaders;
mod turns;
mod untyped;
mod walk_rounds;
mod workgroup_memory;
