//! Labelled positions in every text format: an error names the file, and skipped faults are
//! counted.

use std::ops::ControlFlow;
use std::sync::Arc;

use assay_engine::{CompiledRuleset, Position, Tables};
use assay_rules::Color;
use assay_tuner::training::examples::{Contents, Extract, Occurrences, ReadOptions, TrainingData};

use super::common;

pub fn target(data: &[u8]) {
    let Some((game, contents)) = common::choose(data, common::games().len()) else {
        return;
    };
    let read = |path: &std::path::Path, skips_faults| {
        let options =
            ReadOptions { game: common::games().into_iter().nth(game), decay: 0.5, skips_faults, as_given: false };
        let watch = &mut |_| ControlFlow::Continue(());
        TrainingData::read(&[], &[path.to_owned()], &options, Nothing, watch)
    };
    common::with_file("positions.txt", contents, |path| {
        let strict = read(path, false);
        let lenient = read(path, true);
        for error in [&strict, &lenient].into_iter().filter_map(|read| read.as_ref().err()) {
            assert!(error.to_string().contains("positions.txt"), "{error:#}");
        }
        match (&strict, &lenient) {
            (Ok(strict), Ok(lenient)) => {
                assert_eq!(strict.examples.len(), lenient.examples.len());
                assert!(lenient.position_files.iter().all(|file| file.skipped == 0));
            }
            (Err(_), Ok(lenient)) => assert!(lenient.position_files.iter().any(|file| file.skipped > 0)),
            (Ok(_), Err(error)) => panic!("without a fault: {error:#}"),
            (Err(_), Err(_)) => {}
        }
        for example in strict.iter().chain(&lenient).flat_map(|data| &data.examples) {
            assert!((0.0..=1.0).contains(&example.target.result) && (0.0..=1.0).contains(&example.target.expected));
        }
    });
}

/// Keeps nothing of a position.
#[derive(Clone, Copy)]
struct Nothing;

impl Extract for Nothing {
    type Head = ();
    type Entry = ();

    fn view(_: Color) -> Color {
        Color::White
    }

    fn extractor<R: CompiledRuleset>(
        self,
        _: &Arc<Tables<R>>,
    ) -> impl Fn(&Position<R>, f64, &mut Occurrences) -> Option<Contents<(), ()>> + Send + Sync + use<R> {
        |_, _, _| Some(((), Box::default()))
    }
}

pub fn seeds() -> Vec<Vec<u8>> {
    const CHESS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c9 \"1/2-1/2\";",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 [0.5]",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1; 1-0",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 | 31 | 0.0",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5; ce -31; c9 \"0-1\";",
        "fen,result,eval,best\n\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\",0.5,12,e7e5",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1,1.0",
        "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nmove e7e5\nscore 12\nply 1\nresult -1\ne",
    ];
    CHESS.map(|text| common::with_game("chess", text)).to_vec()
}
