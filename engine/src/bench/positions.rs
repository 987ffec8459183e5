//! Positions of the bench.

/// Positions by game: the start position and positions from self-play games.
pub const POSITIONS: [(&str, &[&str]); 6] = [
    (
        "chess",
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bqkb1r/1p2pppp/p1pp3n/8/8/P1NQPN2/1PPP1PPP/R1B1K2R w KQkq - 0 8",
            "5rk1/r3q2p/2pbbp1n/pp1pp1p1/1P4P1/P1NPPN1P/1RPBQP2/5RK1 w - - 2 19",
            "6k1/4b1q1/2p5/1p2prpR/1P2N3/2P2N2/3R1PK1/8 w - - 2 36",
        ],
    ),
    (
        "berolina",
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bk1b1r/1ppnpppp/1pp5/8/5Pn1/2N1PP2/PPPB1PP1/R3KBNR w - - 1 8",
            "3k1b1r/1pp1p1pp/1pp1b1n1/3N1P1n/2P2P2/1N2PP2/1P1B1PP1/R3KB2 w - - 1 19",
            "2R5/8/3p3b/1Bp5/3kPp2/4PP2/2b1KP2/5N1r w - - 3 36",
        ],
    ),
    (
        "gamma2",
        &[
            "rnabqkbsnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBSNR w KQkq - 0 1",
            "r1a1qkbs1r/1ppp2pppp/1pnp2pn2/4b2B2/4N5/3P3NP1/PPPP1PPPP1/RA2QKBS1R w KQkq - 2 8",
            "r1a1qk3A/1ppp1s2pp/2np2pp2/2p1bn1BNp/1PbP3P2/2QP2P3/P1P3PPP1/R4KBS1R w KQq - 2 19",
        ],
    ),
    (
        "gunnery",
        &[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rn1qkb1r/p1p1npp1/1p1pp2p/7b/3P4/P1N1BNP1/1PP1PP1P/R2QKB1R w KQkq - 1 8",
            "r2k1b1r/p1Nn4/1p1p3p/8/3P4/P2BB3/1PP4P/R3K2R w KQ - 1 19",
            "8/7R/1k6/p7/1pBP4/P1P5/1P5P/2K5 w - - 4 36",
        ],
    ),
    (
        "scorpion",
        &[
            "rnbqkbnr/ssssssss/8/8/8/8/SSSSSSSS/RNBQKBNR w KQkq - 0 1",
            "rnb1kb1r/s1s1ss1s/1s2ss2/8/3q1SS1/3S4/SSSBS2S/RN1QKB1R w KQkq - 0 8",
            "rn1kr3/s1sq3s/bsss4/6S1/3R4/2SSB3/1SS3BS/3QK2R w K - 1 19",
        ],
    ),
    (
        "apothecary2",
        &[
            "***zeel***/r8r/1anbqkbnc1/pppppppppp/10/10/10/10/PPPPPPPPPP/1ANBQKBNC1/R8R/***ZEEL***[Jj:--] w ABCDEFGHIJWXYZabcdefghijwxyz - 0 1",
            "***zeel***/r8r/1ajbqkb1c1/pp2p1pp1p/2p2pnnp1/2Np3Q2/4P5/5P4/PPPP2PPPP/1ANBJKB1C1/R8R/***ZEEL***[:Qp] w ABCDFGIJWXYZabdefgijwxyz - 0 8",
            "***ze1l***/r8r/2jbqk4/p3pbpp1p/1ppa1e1np1/4p3J1/3pP5/1N3P1P1C/PPPP1ZP1PP/1A1B1KB3/R8R/***1EEL***[:Eb] w ABDFGJXYZadefjwxz - 4 19",
            "***1e1l***/r1z1k5/3b6/p3p1rp2/1pp5p1/4p3Pp/3pPP1j2/1P5P1q/P2PB4P/1A2LKB3/2R6R/***1EE1***[:Pq] w BFGJXYadxz - 1 36",
        ],
    ),
];
