use super::super::elo::{elo_from_score, score_from_elo};
use super::*;

type Results<'r> = [([usize; 2], &'r [u64])];

fn fit(players: usize, results: &Results<'_>, anchor: Option<Anchor>) -> Ratings {
    let counts: Vec<ResultCounts> =
        results.iter().map(|(_, counts)| ResultCounts::from_counts(counts).unwrap()).collect();
    let pairings = results.iter().zip(&counts).map(|(&(players, _), counts)| Pairing { players, counts });
    Ratings::new(players, &pairings.collect::<Vec<_>>(), anchor)
}

fn elo(ratings: &Ratings, player: usize) -> Estimate {
    ratings.elo[player].unwrap()
}

/// Three equal pairings round a circle, and a fourth player who scores 75% against one of them.
const CIRCLE: &Results<'static> = &[
    ([0, 1], &[4, 12, 20, 12, 4]),
    ([1, 2], &[4, 12, 20, 12, 4]),
    ([2, 0], &[4, 12, 20, 12, 4]),
    ([3, 0], &[0, 4, 12, 16, 20]),
];

#[test]
fn expected_points_are_the_points() {
    let ratings = fit(4, CIRCLE, None);
    let sum: f64 = (0..4).map(|player| elo(&ratings, player).value).sum();
    assert!(sum.abs() < 1e-6);
    for player in [1, 2] {
        assert!((elo(&ratings, player).value - elo(&ratings, 0).value).abs() < 1e-6);
    }
    let score = ResultCounts::from_counts(CIRCLE[3].1).unwrap().mean().unwrap();
    let difference = elo(&ratings, 3).value - elo(&ratings, 0).value;
    assert!((difference - elo_from_score(score)).abs() < 1e-6, "{difference}");
    assert!((ratings.los[1][2].unwrap() - 0.5).abs() < 1e-9);
    assert!((ratings.los[3][0].unwrap() + ratings.los[0][3].unwrap() - 1.0).abs() < 1e-12);
    assert!(ratings.los[3][0].unwrap() > 0.999);
}

#[test]
fn an_anchor_moves_all_ratings_and_has_no_error() {
    let (free, anchored) = (fit(4, CIRCLE, None), fit(4, CIRCLE, Some(Anchor { player: 1, rating: 2_800.0 })));
    let anchor = elo(&anchored, 1);
    assert!((anchor.value - 2_800.0).abs() < 1e-9 && anchor.half_width().unwrap() < 1e-9);
    for player in 0..4 {
        let differences = [&free, &anchored].map(|ratings| elo(ratings, player).value - elo(ratings, 1).value);
        assert!((differences[0] - differences[1]).abs() < 1e-6);
    }
}

/// Two players have the interval of `EloEstimate`, up to the corrections for few observations.
#[test]
fn two_players_have_the_interval_of_their_match() {
    for counts in [&[20, 60, 160, 100, 60][..], &[0, 0, 50, 0, 0], &[0, 0, 500, 0, 0]] {
        let ratings = fit(2, &[([0, 1], counts)], None);
        let expected = EloEstimate::from_counts(&ResultCounts::from_counts(counts).unwrap()).unwrap().elo;
        let half = 2.0 * elo(&ratings, 0).half_width().unwrap();
        assert!((half / expected.half_width().unwrap() - 1.0).abs() < 0.06, "{counts:?}: {half} {expected:?}");
    }
}

/// In a chain of players each link has the difference of its own match, however large the
/// differences are and long the chain is.
#[test]
fn a_long_chain_of_unequal_players_converges() {
    let counts: &[u64] = &[99_999, 1, 0, 0, 0];
    let chain: Vec<([usize; 2], &[u64])> = (0..40).map(|player| ([player, player + 1], counts)).collect();
    let ratings = fit(41, &chain, None);
    let expected = elo_from_score(ResultCounts::from_counts(counts).unwrap().mean().unwrap());
    for player in 0..40 {
        let difference = elo(&ratings, player).value - elo(&ratings, player + 1).value;
        assert!((difference - expected).abs() < 1e-3, "{player}: {difference}, expected {expected}");
    }
}

/// A player who wins all games has a bound: with the share of the error that two players have, that
/// of `EloEstimate` at 97.5%.
#[test]
fn separated_players_have_bounds() {
    let ratings = fit(2, &[([0, 1], &[0, 0, 0, 0, 6])], None);
    let [first, second] = [0, 1].map(|player| elo(&ratings, player));
    let expected = elo_from_score(0.025_f64.powf(1.0 / 6.0));
    assert!(first.all_ends() == (0.0, 0.0, 0.0), "{first:?}");
    assert!((second.bounds()[1] + expected).abs() < 1e-6 && second.value == f64::NEG_INFINITY, "{second:?} {expected}");

    // Player 3 loses all games against the circle, and player 4 wins all against two of it.
    let won: [([usize; 2], &[u64]); 3] =
        [([0, 3], &[0, 0, 0, 0, 9]), ([4, 1], &[0, 0, 0, 0, 5]), ([2, 4], &[5, 0, 0, 0, 0])];
    let results = [&CIRCLE[..3], &won[..]].concat();
    let ratings = fit(5, &results, None);
    let alone = fit(3, &CIRCLE[..3], None);
    assert!((elo(&ratings, 0).value - elo(&alone, 0).value).abs() < 1e-9);
    let (low, high) = (elo(&ratings, 4), elo(&ratings, 3));
    assert!(
        (low.bounds()[0] - elo_from_score(0.01_f64.powf(0.1))).abs() < 1e-3 && low.bounds()[1] == f64::INFINITY,
        "{low:?}"
    );
    assert!(
        (high.bounds()[1] + elo_from_score(0.01_f64.powf(1.0 / 9.0))).abs() < 1e-3
            && high.bounds()[0] == f64::NEG_INFINITY
    );
    assert!(ratings.los[4][1].unwrap() > 0.95 && ratings.los[3][0].unwrap() < 0.05);
    assert_eq!(ratings.los[3][4], None, "they have not played");
    // A player without games, and no games at all.
    assert_eq!(fit(4, &CIRCLE[..3], None).elo[3], None);
    assert_eq!(fit(2, &[], None).elo[0], None);
}

/// In 95% of simulated tournaments all intervals hold at once. The games of a pair are correlated,
/// and half of them are drawn.
#[test]
fn intervals_hold_at_once() {
    const TOURNAMENTS: u64 = 400;
    let truth = [-150.0, -60.0, 0.0, 30.0, 180.0];
    let (mut all, mut single) = (0, 0);
    for number in 0..TOURNAMENTS {
        let mut stream = Stream::new(Purpose::Test, 34, number);
        let mut results: Vec<([usize; 2], Vec<u64>)> = Vec::new();
        for first in 0..truth.len() {
            for second in first + 1..truth.len() {
                let score = score_from_elo(truth[first] - truth[second]);
                let mut counts = vec![0; 5];
                for _ in 0..20 {
                    // A share of the games is decided; the second game of a pair often repeats the
                    // first one's result.
                    let game = |stream: &mut Stream| {
                        let decided = 2.0 * score.min(1.0 - score);
                        match stream.unit() {
                            part if part < 0.5 * decided => 1,
                            _ => 2 * usize::from(stream.unit() < (score - 0.25 * decided) / (1.0 - 0.5 * decided)),
                        }
                    };
                    let one = game(&mut stream);
                    let two = if stream.unit() < 0.3 { one } else { game(&mut stream) };
                    counts[one + two] += 1;
                }
                results.push(([first, second], counts));
            }
        }
        let results: Vec<([usize; 2], &[u64])> =
            results.iter().map(|(players, counts)| (*players, counts.as_slice())).collect();
        let ratings = fit(truth.len(), &results, None);
        let holds = |player: usize| {
            let interval = elo(&ratings, player);
            interval.contains(truth[player])
        };
        all += u64::from((0..truth.len()).all(holds));
        single += u64::from(holds(2));
    }
    // The seed is fixed; the limits are 95% plus and minus three standard deviations.
    assert!((367..=393).contains(&all), "{all} of {TOURNAMENTS}");
    assert!(single > all, "one interval alone holds more often than all at once: {single} and {all}");
}
