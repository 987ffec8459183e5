//! `bench`.

#[test]
fn measures_every_mode() {
    // However little the time is, each mode counts something.
    for seconds in ["0.02", "1e-300"] {
        measures(seconds);
    }
}

fn measures(seconds: &str) {
    let args = ["bench", "--games", "chess", "apothecary2", "--threads", "2", "--seconds", seconds];
    let value = crate::common::json(&args, 0);
    let rows = value["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 8);
    for row in rows {
        assert!(row["nodes"].as_u64().unwrap() > 0, "{row}");
        assert!(row["nodes_per_second"].as_f64().unwrap() > 0.0, "{row}");
        assert!(["bulk", "full", "hash", "rules"].contains(&row["mode"].as_str().unwrap()), "{row}");
    }
}
