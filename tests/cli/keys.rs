//! The key reference and the JSON schemas are printed from the table of keys and are fresh.

use crate::common::fresh::{between, fresh};
use breccia::{campaign::parse as campaign, scenario::keys};

#[test]
fn the_reference_of_keys_is_fresh() {
    between("docs/user/scenarios.md", "keys", &keys::reference());
    between("docs/user/campaigns.md", "keys", &campaign::keys_reference());
}

#[test]
fn the_schemas_are_fresh() {
    fresh("docs/scenario.schema.json", &keys::json_schema());
    fresh("docs/campaign.schema.json", &campaign::json_schema());
}
