//! Assay's crates as a module for web pages: it translates, and decides nothing.
//!
//! Structures are passed as JSON; `playground/web/api.ts` has their types. An error is a text, JSON
//! of a [`Fault`]. [`definition`] and [`play`] answer at once and are for the page itself; the other
//! modules compute for seconds and are for workers.

#![allow(clippy::missing_errors_doc, reason = "every error is a fault in what the caller gave")]
#![allow(clippy::needless_pass_by_value, reason = "JavaScript gives away what it passes")]

pub mod check;
pub mod definition;
pub mod engine;
pub mod play;
pub mod weigh;

use assay_rules::def::DefError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

/// An error of a call, with its place in the text that was given.
#[derive(Debug, Default, Serialize)]
pub struct Fault {
    pub message: String,
    /// Line and column from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl From<Fault> for String {
    fn from(fault: Fault) -> String {
        json(&fault)
    }
}

impl From<DefError> for Fault {
    fn from(error: DefError) -> Fault {
        let DefError { line, column, key, message, .. } = error;
        let named = key.as_ref().map_or_else(|| message.clone(), |key| format!("{key}: {message}"));
        Fault { message: named, line, column, key }
    }
}

/// The fault with this message, as it is thrown.
fn fault(message: impl ToString) -> String {
    Fault { message: message.to_string(), ..Fault::default() }.into()
}

fn definition_fault(error: DefError) -> String {
    Fault::from(error).into()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("all keys are texts")
}

/// Reads what the page itself has written; a fault shows a mistake of the page.
fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(fault)
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// A panic ends the module; its message goes to the console.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
}
