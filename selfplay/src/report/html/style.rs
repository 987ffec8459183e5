//! Style sheet of the report: light and dark, with system fonts.

pub(super) const CSS: &str = "
:root { --paper: #fff; --ink: #1b1f24; --soft: #5c6670; --line: #d5dae0; --grid: #e8ebee; --curve: #0b6e8a; --bound: #b4460c;
  --card: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6e9ec; --soft: #a0abb5; --line: #3a424a;
  --grid: #262c32; --curve: #4fb8d6; --bound: #f08c4e; --card: #1d2226; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 960px; padding: 24px 20px 60px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; }
h1 { font-size: 28px; line-height: 1.2; margin: 8px 0 12px; }
h2 { font-size: 20px; margin: 36px 0 8px; padding-top: 14px; border-top: 1px solid var(--line); }
p { margin: 8px 0; } .lead { font-size: 18px; } .note { color: var(--soft); font-size: 14px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; margin: 12px 0; }
th, td { padding: 5px 10px; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: 13px; font-weight: 600; color: var(--soft); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.wide { width: 50%; } .bar { background: var(--curve); height: 14px; margin-top: 3px; border-radius: 2px; }
.plot { margin: 8px 0; } .plot > svg { width: 100%; overflow: visible; display: block; }
svg text { fill: var(--ink); font-size: 14px; } svg text.soft { fill: var(--soft); font-size: 13px; }
svg .grid { stroke: var(--grid); } svg .axis { stroke: var(--soft); } svg .zero { stroke: var(--soft); stroke-dasharray: 2 4; }
svg .band { fill: var(--curve); opacity: 0.18; } svg .curve { fill: none; stroke: var(--curve); stroke-width: 2; vector-effect: non-scaling-stroke; }
svg .dot { fill: var(--curve); } svg .bound { stroke: var(--bound); stroke-width: 1.5; stroke-dasharray: 6 4; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px; overflow-x: auto;
  font-size: 13px; }
code { font-size: 12px; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; font-size: 14px; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
";
