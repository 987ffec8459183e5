//! The report's looks: light and dark, with whatever fonts are there.

/// The style sheet.
pub(super) const CSS: &str = "
:root { --paper: #fff; --ink: #1b1f24; --soft: #5c6670; --line: #d5dae0; --grid: #e8ebee;
  --inside: #0b6e8a; --outside: #b4460c; --wide: #707a84; --mark: #1b1f24; --card: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6e9ec; --soft: #a0abb5; --line: #3a424a;
  --grid: #262c32; --inside: #4fb8d6; --outside: #f08c4e; --wide: #98a2ac; --mark: #f2f4f6; --card: #1d2226; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 960px; padding: 24px 20px 60px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; }
h1 { font-size: 28px; line-height: 1.2; margin: 8px 0 12px; }
h2 { font-size: 20px; margin: 36px 0 8px; padding-top: 14px; border-top: 1px solid var(--line); }
p { margin: 8px 0; } .lead { font-size: 18px; }
.note { color: var(--soft); font-size: 14px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 15px; margin: 12px 0; }
th, td { padding: 6px 10px; text-align: left; border-bottom: 1px solid var(--line); }
th { font-size: 13px; font-weight: 600; color: var(--soft); vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.letter { color: var(--soft); font-size: 13px; }
td.inside { color: var(--inside); font-weight: 600; } td.outside { color: var(--outside); font-weight: 600; }
td.number, td.piece { white-space: nowrap; } td.wide, td.plain { color: var(--soft); }
svg { width: 100%; height: auto; display: block; margin: 8px 0;
  font-family: system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; }
svg text { fill: var(--ink); font-size: 14px; } svg text.soft { fill: var(--soft); font-size: 13px; }
svg text.inside { fill: var(--inside); font-weight: 600; } svg text.outside { fill: var(--outside); font-weight: 600; }
svg text.wide { fill: var(--wide); font-weight: 600; } svg text.plain { fill: var(--soft); }
svg .grid { stroke: var(--grid); stroke-width: 1; } svg .axis { stroke: var(--soft); stroke-width: 1; }
svg .row { fill: var(--card); } svg .claimed { fill: var(--inside); opacity: 0.16; }
svg .bar.inside { stroke: var(--inside); } svg .bar.outside { stroke: var(--outside); }
svg .bar.wide, svg .bar.plain { stroke: var(--wide); }
svg .dot.inside { fill: var(--inside); } svg .dot.outside { fill: var(--outside); }
svg .dot.wide, svg .dot.plain { fill: var(--wide); }
svg .dot { stroke: var(--paper); stroke-width: 2; } svg .claim { fill: var(--mark); stroke: var(--paper); stroke-width: 1.5; }
svg .thin { stroke: var(--inside); stroke-width: 2; } svg .bar { stroke-width: 7; stroke-linecap: butt; }
svg .curve { fill: none; stroke-width: 2.2; } svg .later { stroke-dasharray: 5 5; opacity: 0.75; }
svg .c0 { stroke: #0b6e8a; } svg .c1 { stroke: #b4460c; } svg .c2 { stroke: #3f7d20; } svg .c3 { stroke: #7a4bb5; }
svg .c4 { stroke: #a8860a; } svg .c5 { stroke: #b03a6b; } svg .c6 { stroke: #4c6a92; } svg .c7 { stroke: #7d6450; }
svg .f0 { fill: #0b6e8a; } svg .f1 { fill: #b4460c; } svg .f2 { fill: #3f7d20; } svg .f3 { fill: #7a4bb5; }
svg .f4 { fill: #a8860a; } svg .f5 { fill: #b03a6b; } svg .f6 { fill: #4c6a92; } svg .f7 { fill: #7d6450; }
@media (prefers-color-scheme: dark) { svg .c0 { stroke: #4fb8d6; } svg .c1 { stroke: #f08c4e; } svg .c2 { stroke: #86c65c; }
  svg .c3 { stroke: #b794e6; } svg .c4 { stroke: #dcbf4a; } svg .c5 { stroke: #e688b0; } svg .c6 { stroke: #93aed3; }
  svg .c7 { stroke: #c2a78f; } svg .f0 { fill: #4fb8d6; } svg .f1 { fill: #f08c4e; } svg .f2 { fill: #86c65c; }
  svg .f3 { fill: #b794e6; } svg .f4 { fill: #dcbf4a; } svg .f5 { fill: #e688b0; } svg .f6 { fill: #93aed3; }
  svg .f7 { fill: #c2a78f; } }
svg .r4 { fill: #e9b44c; } svg .r3 { fill: #f0d08c; } svg .r2 { fill: #9aa5b1; }
svg .r1 { fill: #7f9cc0; } svg .r0 { fill: #34659d; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px;
  overflow-x: auto; font-size: 14px; }
code { font-size: 13px; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; font-size: 14px; }
dt { color: var(--soft); } dd { margin: 0; }
";
