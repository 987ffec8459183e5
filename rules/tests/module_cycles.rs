//! Checks that no crate of the workspace has cycles between its modules.
//!
//! At every level of the module tree, the dependencies between sibling modules, each with
//! everything below it, must form a directed acyclic graph. Dependencies between a module and its
//! own submodules are not counted: a parent owns the types whose private fields its submodules use,
//! and re-exports their items. A name that a module re-exports counts as a dependency on the module
//! that defines it. Tests are not counted either.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Modules from the crate root downwards; the root itself is empty.
type ModulePath = Vec<String>;

#[derive(Debug, Default)]
struct Module {
    /// Tokens without comments, literals and test code.
    tokens: Vec<String>,
    children: BTreeSet<String>,
    /// Names imported or re-exported, with the unresolved path of each.
    imports: BTreeMap<String, Vec<String>>,
    /// Unresolved paths of glob imports.
    globs: Vec<Vec<String>>,
    /// Unresolved paths that begin with `crate`, `self` or `super`, or that are imported.
    paths: Vec<Vec<String>>,
}

/// All modules of a crate, by path.
#[derive(Debug, Default)]
struct Crate(BTreeMap<ModulePath, Module>);

impl Crate {
    /// Reads the modules of a crate, beginning with its root. `read` returns the source of a
    /// module, if the module exists.
    fn read(read: &dyn Fn(&[String]) -> Option<String>) -> Crate {
        let mut modules = Crate::default();
        let mut pending = vec![ModulePath::new()];
        while let Some(path) = pending.pop() {
            let Some(source) = read(&path) else { continue };
            let module = Module::parse(&source);
            for child in &module.children {
                pending.push([path.as_slice(), std::slice::from_ref(child)].concat());
            }
            modules.0.insert(path, module);
        }
        modules
    }

    /// Returns the module that defines the item or module at `path`, as written in `from`. `None`
    /// for paths into other crates.
    fn resolve(&self, from: &[String], path: &[String], depth: u32) -> Option<ModulePath> {
        let mut current = from.to_vec();
        let mut rest = path.iter();
        let mut is_first = true;
        while let Some(name) = rest.clone().next() {
            match name.as_str() {
                "crate" => current.clear(),
                "self" => {}
                "super" => drop(current.pop()?),
                _ => {
                    let module = self.0.get(&current)?;
                    if module.children.contains(name) {
                        current.push(name.clone());
                    } else if depth > 16 {
                        return None;
                    } else if let Some(import) = module.imports.get(name).filter(|import| import.as_slice() != path) {
                        rest.next();
                        let whole: Vec<String> = import.iter().chain(rest).cloned().collect();
                        return self.resolve(&current, &whole, depth + 1);
                    } else if !module.defines(name)
                        && let Some(found) =
                            module.globs.iter().filter(|glob| glob.as_slice() != path).find_map(|glob| {
                                let target = self.resolve(&current, glob, depth + 1)?;
                                let target = self.0.get(&target)?;
                                let known = target.defines(name) || target.imports.contains_key(name);
                                known.then(|| [glob.as_slice(), std::slice::from_ref(name)].concat())
                            })
                    {
                        return self.resolve(&current, &found, depth + 1);
                    } else {
                        // An item of this module, or at the start of a path the name of another
                        // crate.
                        return (!is_first).then_some(current);
                    }
                }
            }
            rest.next();
            is_first = false;
        }
        Some(current)
    }

    /// Returns the dependencies between siblings: for each parent, pairs of children with the
    /// modules that cause them.
    fn sibling_dependencies(&self) -> BTreeMap<ModulePath, BTreeMap<(String, String), String>> {
        let mut graphs: BTreeMap<ModulePath, BTreeMap<(String, String), String>> = BTreeMap::new();
        for (from, module) in &self.0 {
            for path in &module.paths {
                let Some(to) = self.resolve(from, path, 0) else {
                    continue;
                };
                let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
                if let (Some(one), Some(other)) = (from.get(common), to.get(common)) {
                    let cause = format!("{} uses {} of {}", from.join("::"), path.join("::"), to.join("::"));
                    let graph = graphs.entry(from[..common].to_vec()).or_default();
                    graph.entry((one.clone(), other.clone())).or_insert(cause);
                }
            }
        }
        graphs
    }

    /// Returns the parents whose children depend on each other in a cycle, with the causes.
    fn cycles(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for (parent, mut edges) in self.sibling_dependencies() {
            // Removes what cannot be part of a cycle: modules without dependencies, or on which
            // none depends.
            loop {
                let sources: BTreeSet<String> = edges.keys().map(|edge| edge.0.clone()).collect();
                let targets: BTreeSet<String> = edges.keys().map(|edge| edge.1.clone()).collect();
                let before = edges.len();
                edges.retain(|(one, other), _| targets.contains(one) && sources.contains(other));
                if edges.len() == before {
                    break;
                }
            }
            if !edges.is_empty() {
                let causes: Vec<String> = edges.into_values().collect();
                found.push((parent.join("::"), causes.join("\n  ")));
            }
        }
        found
    }
}

impl Module {
    fn parse(source: &str) -> Module {
        let mut module = Module { tokens: without_tests(&tokens(source)), ..Module::default() };
        let tokens = module.tokens.clone();
        let mut at = 0;
        while at < tokens.len() {
            match tokens[at].as_str() {
                "mod" if tokens.get(at + 2).is_some_and(|token| token == ";") => {
                    module.children.insert(tokens[at + 1].clone());
                    at += 3;
                }
                "use" => {
                    at += 1;
                    module.parse_use(&tokens, &mut at, &[]);
                }
                "crate" | "self" | "super" if tokens.get(at + 1).is_some_and(|token| token == "::") => {
                    let mut path = vec![tokens[at].clone()];
                    while tokens.get(at + 1).is_some_and(|token| token == "::")
                        && tokens.get(at + 2).is_some_and(|token| is_identifier(token))
                    {
                        path.push(tokens[at + 2].clone());
                        at += 2;
                    }
                    module.paths.push(path);
                    at += 1;
                }
                _ => at += 1,
            }
        }
        module
    }

    /// Parses a use tree from `at` on, behind `prefix`.
    fn parse_use(&mut self, tokens: &[String], at: &mut usize, prefix: &[String]) {
        let mut path = prefix.to_vec();
        while let Some(token) = tokens.get(*at) {
            *at += 1;
            match token.as_str() {
                "::" => {}
                "{" => {
                    while tokens.get(*at).is_some_and(|token| token != "}") {
                        self.parse_use(tokens, at, &path);
                        if tokens.get(*at).is_some_and(|token| token == ",") {
                            *at += 1;
                        }
                    }
                    *at += 1;
                    return;
                }
                "*" => {
                    self.paths.push(path.clone());
                    self.globs.push(path);
                    return;
                }
                "as" => {
                    self.imports.insert(tokens[*at].clone(), path.clone());
                    self.paths.push(path);
                    *at += 1;
                    return;
                }
                "self" if !path.is_empty() => {}
                name if is_identifier(name) => path.push(name.to_owned()),
                _ => {
                    *at -= 1;
                    break;
                }
            }
        }
        if let Some(name) = path.last() {
            self.imports.insert(name.clone(), path.clone());
            self.paths.push(path);
        }
    }

    /// Returns true if the module defines an item of that name.
    fn defines(&self, name: &str) -> bool {
        const KEYWORDS: [&str; 8] = ["struct", "enum", "trait", "fn", "const", "static", "type", "macro_rules"];
        self.tokens
            .windows(3)
            .any(|window| KEYWORDS.contains(&window[0].as_str()) && (window[1] == name || window[2] == name))
    }
}

fn is_identifier(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Splits source into identifiers, `::` and single characters. Drops white space, comments and
/// literals.
fn tokens(source: &str) -> Vec<String> {
    let chars: Vec<char> = source.chars().collect();
    let starts = |at: usize, text: &str| chars[at..].iter().copied().take(text.len()).eq(text.chars());
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let first = chars[at];
        if starts(at, "//") {
            at += chars[at..].iter().take_while(|&&c| c != '\n').count();
        } else if starts(at, "/*") {
            at += (at..chars.len()).take_while(|&end| !starts(end, "*/")).count() + 2;
        } else if first == 'r' && (starts(at, "r\"") || starts(at, "r#\"")) {
            let hashes = chars[at + 1..].iter().take_while(|&&c| c == '#').count();
            let end = format!("\"{}", "#".repeat(hashes));
            at += hashes + 2;
            at += (at..chars.len()).take_while(|&close| !starts(close, &end)).count() + end.len();
        } else if first == '"' {
            at += 1;
            while at < chars.len() && chars[at] != '"' {
                at += if chars[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if first == '\'' && chars.get(at + 1) == Some(&'\\') {
            at += 3 + chars[at + 3..].iter().take_while(|&&c| c != '\'').count() + 1;
        } else if first == '\'' && chars.get(at + 2) == Some(&'\'') {
            at += 3;
        } else if first.is_alphanumeric() || first == '_' {
            let len = chars[at..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
            tokens.push(chars[at..at + len].iter().collect());
            at += len;
        } else if starts(at, "::") {
            tokens.push("::".to_owned());
            at += 2;
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            at += 1;
        }
    }
    tokens
}

/// Removes items with the attribute `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const CFG_TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].iter().take(CFG_TEST.len()).eq(CFG_TEST) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += CFG_TEST.len();
        let mut depth = 0;
        while at < tokens.len() {
            let token = tokens[at].as_str();
            at += 1;
            depth += i32::from(token == "{") - i32::from(token == "}");
            if depth == 0 && matches!(token, ";" | "}") {
                break;
            }
        }
    }
    kept
}

/// Reads a crate from its root file: `src/lib.rs` or `src/main.rs`.
fn read_crate(root: &Path) -> Crate {
    let folder = root.parent().expect("a root file is in a folder");
    Crate::read(&|path| {
        if path.is_empty() {
            return fs::read_to_string(root).ok();
        }
        let file: PathBuf = folder.join(path.join("/"));
        let text = fs::read_to_string(file.with_extension("rs"));
        text.or_else(|_| fs::read_to_string(file.join("mod.rs"))).ok()
    })
}

fn crate_from(files: &[(&str, &str)]) -> Crate {
    Crate::read(&|path| {
        let name = path.join("::");
        let file = files.iter().find(|file| file.0 == name)?;
        Some(file.1.to_owned())
    })
}

#[test]
fn no_crate_has_module_cycles() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut roots = 0;
    let mut found = Vec::new();
    for folder in fs::read_dir(&workspace).unwrap() {
        for file in ["src/lib.rs", "src/main.rs"] {
            let root = folder.as_ref().unwrap().path().join(file);
            if root.exists() {
                let modules = read_crate(&root);
                roots += 1;
                let name = root.strip_prefix(&workspace).unwrap().display();
                println!("{name}: {} modules", modules.0.len());
                found.extend(
                    modules
                        .cycles()
                        .into_iter()
                        .map(|(parent, causes)| format!("{name}: cycle below `{parent}`:\n  {causes}")),
                );
            }
        }
    }
    assert!(roots > 0, "no crate found");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn reports_cycle_of_three_modules() {
    let modules = crate_from(&[
        ("", "mod one; mod two; mod three;"),
        ("one", "use crate::two::Two; pub struct One;"),
        ("two", "mod part; pub struct Two;"),
        ("two::part", "fn f() { crate::three::g(); }"),
        ("three", "use super::{one::One as First}; pub fn g() {}"),
    ]);
    assert_eq!(modules.cycles().len(), 1, "{:?}", modules.cycles());
}

#[test]
fn follows_reexports_to_the_defining_module() {
    let modules = crate_from(&[
        ("", "mod one; mod two; pub use one::One;"),
        ("one", "use crate::two::Two; pub struct One;"),
        ("two", "use crate::One; pub struct Two;"),
    ]);
    assert_eq!(modules.cycles().len(), 1);
    let modules = crate_from(&[
        ("", "mod one; pub use one::*;"),
        ("one", "mod a; mod b; pub use a::A;"),
        ("one::a", "use super::b::B; pub struct A;"),
        ("one::b", "use crate::one::A; pub struct B;"),
    ]);
    assert_eq!(modules.cycles().len(), 1);
}

#[test]
fn ignores_tests_comments_and_parents() {
    let modules = crate_from(&[
        ("", "mod one; mod two; // use crate::one;\nconst TEXT: &str = \"crate::one::One\";"),
        ("one", "mod child; use child::Child; pub struct One;"),
        ("one::child", "use super::One; use crate::two::Two; pub struct Child;"),
        ("two", "pub struct Two; #[cfg(test)] mod tests { use crate::one::One; } #[cfg(test)] use crate::one::One;"),
    ]);
    assert!(modules.cycles().is_empty(), "{:?}", modules.cycles());
}
