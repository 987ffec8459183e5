//! Records of all formats, and their faults.

use super::*;

const FEN: &str = "8/8/8/8/8/k7/p7/K7 b - - 3 40";

fn parsed(line: &str) -> Result<(String, f64, Option<Eval>), String> {
    let (layout, _) = Layout::of(line).map_err(|fault| fault.to_string())?;
    let found = layout.parse(line).map_err(|fault| fault.to_string())?;
    Ok((found.position.to_owned(), found.result, found.eval))
}

#[test]
fn reads_the_formats_of_public_sets() {
    let board = "8/8/8/8/8/k7/p7/K7 b - -";
    let cp = |score| Some(Eval::Centipawns(score));
    for (line, position, result, eval) in [
        (format!("{FEN} [0.5]"), FEN, 0.5, None),
        (format!("{FEN} [1.0] -20"), FEN, 1.0, None),
        (format!("{FEN}; 1/2-1/2"), FEN, 0.5, None),
        (format!("{FEN} 0-1"), FEN, 0.0, None),
        (format!("{board} 1-0"), board, 1.0, None),
        (format!("{FEN},0.25"), FEN, 0.25, None),
        (format!("{FEN} | 31 | 0.5"), FEN, 0.5, cp(-31)),
        (format!("{FEN} | -32000 | 0.0"), FEN, 0.0, Some(Eval::Mate(1))),
        (format!("fen {FEN}\nmove a3b3\nscore 7\nply 9\nresult 1\ne"), FEN, 0.0, cp(7)),
    ] {
        assert_eq!(parsed(&line), Ok((position.to_owned(), result, eval)), "{line}");
    }
    for (operations, result, eval) in [
        ("c9 \"1-0\";", 1.0, None),
        ("hmvc 3; c0 \"a; 0-1\"; c1 \"1/2-1/2\"; ce -9;", 0.5, cp(-9)),
        ("c1 \"result 1/2-1/2\"; c2 \"score 0.75\";", 0.75, None),
        ("c0 \"7\"; c9 \"0.0\"; ce 32760;", 0.0, Some(Eval::Mate(1))),
    ] {
        let line = format!("{board} {operations}");
        assert_eq!(parsed(&line), Ok((line.clone(), result, eval)), "{line}");
    }
}

#[test]
fn faults_name_what_was_found() {
    for (line, expected) in [
        (FEN.to_owned(), "result: found nothing, expected a result such as"),
        (format!("{FEN} c9 \"*\";"), "result: found `c9 \"*\"`"),
        (format!("{FEN} [2]"), "result: found `2`, expected 1-0"),
        (format!("{FEN} | x | 0.5"), "score: found `x`, expected a whole number"),
        (format!("{FEN} | 0.5"), "expected three parts"),
        (format!("{FEN} ce x; c9 \"1-0\";"), "score: found `x`"),
        ("fen 8/8 w\nresult 2\ne".to_owned(), "result: found `2`, expected 1, 0 or -1"),
        ("fen,eval".to_owned(), "columns: found `fen,eval`"),
        ("fen,result,result".to_owned(), "expected one column result"),
        (format!("{FEN} c9 \"1-0\"; c8 \"0-1\";"), "expected one result"),
        (format!("{FEN} c1 \"result 1-0\"; c2 \"score 0\";"), "expected one result"),
        (format!("{FEN} [1.0] [0.0]"), "expected one result"),
        (format!("{FEN} [1.0] 0-1"), "expected one result"),
        ("hello".to_owned(), "result: found nothing"),
    ] {
        let fault = parsed(&line).unwrap_err();
        assert!(fault.starts_with(expected) || fault.contains(expected), "{line}: {fault}");
    }
}

#[test]
fn columns_are_found_by_name() {
    let header = "\"FEN\",variant,eval,score,game";
    let (layout, is_header) = Layout::of(header).unwrap();
    assert!(is_header);
    let found = layout.parse("8/8/8/8/8/k7/p7/K7 b - - 3 40,chess,,0.5,a-1").unwrap();
    assert_eq!((found.variant, found.eval, found.result, found.game), (Some("chess"), None, 0.5, Some("a-1")));
    let fault = layout.parse("8/8/8/8/8/k7/p7/K7 b - - 3 40,chess").unwrap_err();
    assert!(fault.to_string().contains("expected a value in column 4"), "{fault}");
    let quoted = layout.parse("8/8/8/8/8/k7/p7/K7 b - - 3 40,duck,,0.5,\"a,1\"").unwrap();
    assert_eq!(quoted.game, Some("a,1"));
    for (line, expected) in [
        ("8/8/8/8/8/k7/p7/K7 b - - 3 40,chess,,0.5,a-1,more", "expected 5 fields"),
        ("\"8/8/8/8/8/k7/p7/K7 b - - 3 40,chess,,0.5,a-1", "expected a closed quotation"),
    ] {
        let fault = layout.parse(line).unwrap_err().to_string();
        assert!(fault.contains(expected), "{line}: {fault}");
    }
}
