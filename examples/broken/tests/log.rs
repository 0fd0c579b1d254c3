//! What the crate promises.

use broken::{Level, headline, records};

const LOG: &str = "info started\nwarn  disk is filling\nnoise\nerror disk is full\n";

#[test]
fn finds_the_records() {
    let found = records(LOG);
    assert_eq!(found.len(), 3);
    assert_eq!(found[1].level, Level::Warning);
    assert_eq!(found[1].message, "disk is filling");
}

#[test]
fn weighs_each_record_by_its_level() {
    assert_eq!(headline(LOG), "3 records, weight 11");
}
