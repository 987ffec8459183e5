//! `bench`.

mod common;

#[test]
fn measures_every_mode() {
    let value = common::json(
        &[
            "bench",
            "--games",
            "chess",
            "apothecary2",
            "--seconds",
            "0.02",
            "--threads",
            "2",
        ],
        0,
    );
    let rows = value["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 8);
    for row in rows {
        assert!(row["nodes"].as_u64().unwrap() > 0, "{row}");
        assert!(row["nodes_per_second"].as_f64().unwrap() > 0.0, "{row}");
        assert!(
            ["bulk", "full", "hash", "rules"].contains(&row["mode"].as_str().unwrap()),
            "{row}"
        );
    }
}
