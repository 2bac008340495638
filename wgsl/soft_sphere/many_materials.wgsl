import package::law::{Law};

// The law of a pair in a run with several materials: a row of the table.
var<storage, read> contact_law: array<Law>;

fn law_of_all() -> Law {
    return Law();
}

fn law_of_pair(of_all: Law, row: u32) -> Law {
    return contact_law[row];
}
