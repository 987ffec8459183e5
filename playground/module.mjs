// Builds the WebAssembly module: playground/pkg/. Uses the target of rustup, or Debian's rustc-web and rust-web-src.
// With --quick, for tests: with fewer optimizations and without the rulesets of single games,
// in half of the time.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
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

const has = (libraries) => existsSync(libraries.trim());
const libraries = () =>
  execFileSync("rustc", ["--print", "target-libdir", "--target", triple], { cwd: workspace, encoding: "utf8" });
const build = ["build", "--locked", "--package", "assay-playground", "--profile", profile, "--target", triple];
if (has(libraries())) {
  run("cargo", build, { RUSTFLAGS: features });
} else if (existsSync("/usr/bin/cargo") && existsSync("/usr/lib/rustlib/src/rust/library")) {
  // The standard library is compiled, too.
  const unstable = ["-Zbuild-std=std,panic_abort", "--ignore-rust-version"];
  run("/usr/bin/cargo", [...build, ...unstable], {
    RUSTC: "/usr/bin/rustc",
    RUSTC_BOOTSTRAP: "1",
    RUSTFLAGS: features,
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: "wasm-ld",
  });
} else {
  console.error(`found no standard library of ${triple}; run: rustup target add ${triple}`);
  process.exit(2);
}
const module = join(target, triple, profile, "assay_playground.wasm");
run("cargo", ["run", "--locked", "--manifest-path", join(here, "bind", "Cargo.toml"), "--", module, join(here, "pkg")], {
  CARGO_TARGET_DIR: join(target, "bind"),
});
