//! The tables and views, as `docs/data.md` shows them.

use super::*;

/// Every query that `docs/data.md` gives as an example.
#[test]
fn documented_queries_work() {
    let folder = TempDir::new().unwrap();
    let self_play = sample(&folder);
    let versus = folder.path().join("match.db");
    let mut store = open_with(&versus, &match_settings(), 10, IDENTITY).unwrap();
    store.add(&[record(0), record(1), faulty_record(2)]).unwrap();
    store.close().unwrap();
    let document = include_str!("../../../../docs/data.md");
    let queries: Vec<&str> = document
        .split("```sql\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        // Only imports have this table; `tests/import.rs` asks them.
        .filter(|query| !query.contains("JOIN tags"))
        .collect();
    assert!(queries.len() >= 8, "the document has examples");
    for path in [&self_play, &versus] {
        let database = Connection::open(path).unwrap();
        for query in &queries {
            let mut statement = database.prepare(query).unwrap_or_else(|error| panic!("{query}\n{error}"));
            let mut rows = statement.query([]).unwrap();
            while rows.next().unwrap_or_else(|error| panic!("{query}\n{error}")).is_some() {}
        }
    }
}

#[test]
fn views_show_names_and_points() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("match.db");
    let mut store = open_with(&path, &match_settings(), 10, IDENTITY).unwrap();
    store.add(&[record(3), record(4)]).unwrap();
    let row = |sql: &str| -> (String, String, f64) {
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        store.connection.query_row(sql, [], read).unwrap()
    };
    let game = row("SELECT white, black, points FROM game_list WHERE game = 4");
    assert_eq!(game, ("old".to_owned(), "new".to_owned(), 0.75));
    let pair = row("SELECT opening, '', points FROM pair_results WHERE pair = 2");
    assert!((pair.2 - 0.25).abs() < 1e-12, "the first player had Black");
}

#[test]
fn margins_and_time_controls_round_trip() {
    let limits = EngineLimits {
        clock: Some("40/60+0.5".parse().unwrap()),
        movetime: Some(std::time::Duration::from_millis(250)),
        nodes: None,
        depth: Some(9),
        margin: std::time::Duration::from_millis(35),
    };
    let text = serde_json::to_string(&limits).unwrap();
    assert_eq!(text, r#"{"tc":"40/60+0.5","movetime_ms":250,"nodes":null,"depth":9,"margin_ms":35}"#);
    assert_eq!(serde_json::from_str::<EngineLimits>(&text).unwrap(), limits);
}
