// Builds the WebAssembly module: playground/pkg/. Uses the target of rustup, or Debian's rustc-web and rust-web-src.
// With --quick, for tests: with fewer optimizations and without the rulesets of single games,
// in half of the time. With --available, only finds out whether there is a compiler for it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const workspace = dirname(here);
const triple = "wasm32-unknown-unknown";
const target = process.env.CARGO_TARGET_DIR ?? join(workspace, "target");
const quick = process.argv.includes("--quick");
const profile = quick ? "web-quick" : "web";
const features = `-Ctarget-feature=+simd128,+bulk-memory${quick ? " --cfg general_rulesets" : ""}`;

function run(program, arguments_, environment = {}) {
  const env = { ...process.env, CARGO_TARGET_DIR: target, ...environment };
  execFileSync(program, arguments_, { cwd: workspace, stdio: "inherit", env });
}

/** What a program prints. */
const printed = (program, ...arguments_) => execFileSync(program, arguments_, { cwd: workspace, encoding: "utf8" });
const minor = (version) => Number(/\b1\.(\d+)/.exec(version)?.[1] ?? 0);
const needed = minor(/rust-version = "(.*)"/.exec(readFileSync(join(workspace, "Cargo.toml"), "utf8"))[1]);
const hasTarget = existsSync(printed("rustc", "--print", "target-libdir", "--target", triple).trim());
const hasSources = existsSync("/usr/bin/rustc") && existsSync("/usr/lib/rustlib/src/rust/library");
const found = hasSources ? `Debian's rustc 1.${minor(printed("/usr/bin/rustc", "--version"))}` : "none";
if (!hasTarget && !(hasSources && minor(found) >= needed)) {
  console.error(`found no standard library of ${triple} for Rust 1.${needed} (${found}); run: rustup target add ${triple}`);
  process.exit(2);
}
if (process.argv.includes("--available")) process.exit(0);

const build = ["build", "--locked", "--package", "assay-playground", "--profile", profile, "--target", triple];
if (hasTarget) {
  run("cargo", build, { RUSTFLAGS: features });
} else {
  // The standard library is compiled, too.
  const unstable = ["-Zbuild-std=std,panic_abort", "--ignore-rust-version"];
  run("/usr/bin/cargo", [...build, ...unstable], {
    RUSTC: "/usr/bin/rustc",
    RUSTC_BOOTSTRAP: "1",
    RUSTFLAGS: features,
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: "wasm-ld",
  });
}
const module = join(target, triple, profile, "assay_playground.wasm");
run("cargo", ["run", "--locked", "--manifest-path", join(here, "bind", "Cargo.toml"), "--", module, join(here, "pkg")], {
  CARGO_TARGET_DIR: join(target, "bind"),
});
