//! `bind MODULE.wasm FOLDER`: writes the module and its JavaScript for web pages into a folder.

use anyhow::{Context, ensure};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    ensure!(arguments.len() == 2, "found {} arguments, expected MODULE.wasm FOLDER", arguments.len());
    let [module, folder] = [&arguments[0], &arguments[1]];
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).web(true)?.typescript(true).remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder).with_context(|| module.clone())
}
