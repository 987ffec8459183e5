//! Checks of the pages in a real Chromium, if one is installed: text stays in its box, and nothing
//! must be scrolled sideways.
//!
//! `CHROMIUM` names the program if it is not in the search path. With `AXE_CORE` as the path of
//! `axe.min.js` (npm package `axe-core`), its rules for accessibility are checked, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assay_tuner::report::{measurement, overview};
use assay_tuner::values::claims::Claims;
use assay_tuner::values::results::MeasurementReport;
use assay_tuner::values::stored_result::StoredResult;
use serde_json::Value;

/// Window widths in pixels: phone, tablet, desktop.
const WIDTHS: [u32; 3] = [390, 800, 1400];

/// Finds faults in the page of a frame.
const PROBE: &str = include_str!("browser.js");

fn chromium() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("CHROMIUM") {
        return Some(path.into());
    }
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let files = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    files.into_iter().find(|path| path.is_file())
}

/// The faults that Chromium finds in a page at a width.
fn faults(chromium: &Path, folder: &Path, page: &str, width: u32) -> Vec<Value> {
    let axe =
        std::env::var_os("AXE_CORE").map(|path| fs::read_to_string(path).expect("AXE_CORE names a readable file"));
    let script = |text: &str| format!("<script>{}</script>", text.replace("</script", "<\\/script"));
    let page =
        page.replacen("</body>", &format!("{}{}</body>", script(axe.as_deref().unwrap_or_default()), script(PROBE)), 1);
    // A window cannot be as narrow as a phone, but a frame can.
    let escaped = page.replace('&', "&amp;").replace('"', "&quot;");
    let wrapper = format!(
        "<!DOCTYPE html><body><iframe width=\"{width}\" height=\"900\" style=\"border:0\" srcdoc=\"{escaped}\"></iframe>"
    );
    let path = folder.join("page.html");
    fs::write(&path, wrapper).unwrap();
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=60000"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--window-size={},900", width + 40))
        .arg(format!("file://{}", path.display()))
        .output()
        .expect("Chromium starts");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let found = dom.split("<pre id=\"faults\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let found = found.unwrap_or_else(|| panic!("no result: {}", String::from_utf8_lossy(&output.stderr)));
    let found = found.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&found).unwrap_or_else(|error| panic!("{error}: {found}"))
}

#[test]
fn text_stays_in_its_box_at_every_width() {
    let Some(chromium) = chromium() else {
        println!("skipped: no Chromium");
        return;
    };
    let values = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/values");
    let read = |name: &str| MeasurementReport::read(&values.join(format!("{name}.json"))).unwrap();
    let reports = ["chess", "gamma2", "apothecary2"].map(read);
    let mut pages: Vec<(String, String)> = reports
        .iter()
        .map(|report| {
            let ladder = StoredResult::read(&values.join(format!("ladders/{}.json", report.game))).unwrap();
            let StoredResult::Ladder(ladder) = ladder else { panic!("found another result") };
            let page = measurement(report, None, Some(&ladder)).html();
            (report.game.clone(), page)
        })
        .collect();
    let entries = reports.map(|report| (report, None));
    pages.push(("index".to_owned(), overview(&entries).html()));
    let claims: Claims = serde_json::from_str(include_str!("claims.json")).unwrap();
    pages.push(("claims".to_owned(), assay_tuner::report::claims::page(&claims)));
    let folder = tempfile::TempDir::new().unwrap();
    let mut all = Vec::new();
    for (name, page) in &pages {
        for width in WIDTHS {
            let found = faults(&chromium, folder.path(), page, width);
            all.extend(found.into_iter().map(|fault| format!("{name} at {width} pixels: {fault}")));
        }
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}
