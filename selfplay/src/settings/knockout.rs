//! The bracket of a knockout.

/// The most further openings by which a tied match of a knockout is decided; after them, the better
/// seed goes on.
pub const MAX_TIE_BREAKS: u64 = 10;

/// A match of a knockout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BracketMatch {
    /// The number of the pairing; `None` for a bye.
    pub pairing: Option<usize>,
    /// The players. Of a bye, the second one is missing; later matches have those that are known.
    pub players: [Option<usize>; 2],
    /// The player that goes on, if it is known.
    pub winner: Option<usize>,
}

/// The matches of all rounds, the final last. `order` has the players, the best seed first; in the
/// bracket the best seeds meet as late as possible, and have the byes of the first round. `winner`
/// tells who has won a pairing; pairings are numbered round by round.
pub(super) fn bracket(order: &[usize], winner: impl Fn(usize) -> Option<usize>) -> Vec<Vec<BracketMatch>> {
    let mut seeds = vec![0];
    while seeds.len() < order.len() {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    let mut entrants: Vec<Option<usize>> = seeds.into_iter().map(|seed| order.get(seed).copied()).collect();
    let (mut rounds, mut pairings) = (Vec::new(), 0..);
    while entrants.len() > 1 {
        let of_two = |two: &[Option<usize>]| {
            let players = [two[0], two[1]];
            if rounds.is_empty() && players[1].is_none() {
                let (pairing, winner) = (None, players[0]);
                return BracketMatch { pairing, players, winner };
            }
            let pairing = pairings.next();
            let winner = pairing.and_then(&winner);
            BracketMatch { pairing, players, winner }
        };
        let matches: Vec<BracketMatch> = entrants.chunks(2).map(of_two).collect();
        entrants = matches.iter().map(|played| played.winner).collect();
        rounds.push(matches);
    }
    rounds
}

/// The players of the pairings that are known: all of the rounds before which every match is
/// decided.
pub(crate) fn known_pairings(bracket: &[Vec<BracketMatch>]) -> Vec<[usize; 2]> {
    let is_known = |played: &BracketMatch| played.pairing.is_none() || played.players.iter().all(Option::is_some);
    let rounds = bracket.iter().take_while(|round| round.iter().all(is_known));
    let players = |played: &BracketMatch| Some([played.players[0]?, played.players[1]?]);
    rounds.flatten().filter_map(players).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_seeds_meet_later_and_have_the_byes() {
        for count in 3..=64 {
            let order: Vec<usize> = (0..count).rev().collect();
            // The better seed, which has the larger number here, always wins.
            let mut known = known_pairings(&bracket(&order, |_| None));
            let first_round = known.len();
            assert_eq!(first_round, count - count.next_power_of_two() / 2);
            let rounds = loop {
                let rounds = bracket(&order, |pairing| known.get(pairing).map(|players| players[0].max(players[1])));
                let grown = known_pairings(&rounds);
                assert_eq!(grown[..known.len()], known);
                if grown.len() == known.len() {
                    break rounds;
                }
                known = grown;
            };
            assert_eq!(known.len(), count - 1);
            assert_eq!(rounds.last().unwrap()[0].players, [Some(count - 1), Some(count - 2)]);
            let byes: Vec<_> = rounds[0].iter().filter(|played| played.pairing.is_none()).collect();
            let seeds = byes.len();
            assert!(byes.iter().all(|bye| bye.winner >= Some(count - seeds)), "{byes:?}");
        }
    }

    #[test]
    fn a_round_waits_for_the_one_before_it() {
        let order = [0, 1, 2, 3, 4];
        let pairings = |winners: &[Option<usize>]| {
            known_pairings(&bracket(&order, |pairing| winners.get(pairing).copied().flatten()))
        };
        assert_eq!(pairings(&[]), [[3, 4]]);
        assert_eq!(pairings(&[Some(4)]), [[3, 4], [0, 4], [1, 2]]);
        assert_eq!(pairings(&[Some(4), Some(0)]), pairings(&[Some(4)]));
        assert_eq!(pairings(&[Some(4), Some(4), Some(2)])[3..], [[4, 2]]);
    }
}
