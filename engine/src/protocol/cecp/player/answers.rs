//! What the player is asked beside the game.

use assay_rules::uci;

use super::super::{features, squares, targets, thinking};
use super::Player;
use crate::protocol::options::Change;

impl Player {
    pub(super) fn ping(&mut self, number: String) {
        self.pings.push(number);
        if !self.is_about_to_move() {
            self.session.wait_for_answers(&self.options);
            self.answer_pings();
        }
    }

    pub(super) fn answer_pings(&mut self) {
        if !self.is_about_to_move() {
            for number in self.pings.drain(..) {
                self.output.line(&format!("pong {number}"));
            }
        }
    }

    pub(super) fn tell_hint(&self) {
        if let Some(hint) = self.hint {
            let text = uci::format(&self.options.game, hint);
            self.output
                .line(&format!("Hint: {}", squares::to_xboard(&self.options.game, &text)));
        }
    }

    pub(super) fn tell_status(&self) {
        if let Some((line, searched, present)) = &self.seen {
            let all = self.game.position().legal_moves().len();
            let present = squares::to_xboard(&self.options.game, present);
            self.output.line(&thinking::status(line, *searched, all, &present));
        }
    }

    pub(super) fn set_option(&mut self, name: &str, value: Option<&str>) {
        match self.options.set(name, value) {
            Ok(change) => {
                let loaded = matches!(change, Change::Loaded(_));
                self.session.apply(change, &self.options);
                if loaded {
                    self.output.line(&features::variants(&self.options));
                }
            }
            Err(note) => self.output.line(&format!("tellusererror {note}")),
        }
    }

    pub(super) fn lift(&mut self, text: &str) {
        self.lifted = squares::prefix(&self.options.game.board, text).map(|(square, _)| square);
        if let Some(square) = self.lifted {
            self.output.line(&targets::highlight(self.game.position(), square));
        }
    }

    pub(super) fn put(&mut self, text: &str) {
        let to = squares::prefix(&self.options.game.board, text).map(|(square, _)| square);
        if let (Some(from), Some(to)) = (self.lifted, to)
            && let Some(choice) = targets::choice(self.game.position(), from, to)
        {
            self.output.line(&choice);
        }
    }
}
