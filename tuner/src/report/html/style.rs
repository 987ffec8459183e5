//! The style sheet of the pages: light and dark, wide and narrow, screen and paper.

pub(super) const CSS: &str = "
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #5c6670; --line: #d5dae0; --grid: #e3e7eb;
  --inside: #0b6e8a; --outside: #b4460c; --wide: #707a84; --mark: #1b1f24; --card: #f6f8fa;
  --c0: #0b6e8a; --c1: #b4460c; --c2: #3f7d20; --c3: #7a4bb5; --c4: #a8860a; --c5: #b03a6b; --c6: #4c6a92; --c7: #7d6450; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --ink: #e6e9ec; --soft: #a0abb5; --line: #3a424a;
  --grid: #2a3036; --inside: #4fb8d6; --outside: #f08c4e; --wide: #98a2ac; --mark: #f2f4f6; --card: #1d2226;
  --c0: #4fb8d6; --c1: #f08c4e; --c2: #86c65c; --c3: #b794e6; --c4: #dcbf4a; --c5: #e688b0; --c6: #93aed3; --c7: #c2a78f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 960px; padding: 24px 20px 60px; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; }
h1 { font-size: 28px; line-height: 1.2; margin: 8px 0 12px; }
h2 { font-size: 20px; margin: 36px 0 8px; padding-top: 14px; border-top: 1px solid var(--line); }
p { margin: 8px 0; } .lead { font-size: 18px; } .quote { margin-top: 20px; } li { margin: 4px 0; }
.note { color: var(--soft); font-size: 14px; }
summary { cursor: pointer; color: var(--inside); margin: 8px 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 15px; margin: 12px 0; }
th, td { padding: 6px 10px; text-align: left; border-bottom: 1px solid var(--line); }
th { font-size: 13px; font-weight: 600; color: var(--soft); vertical-align: bottom; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.letter { color: var(--soft); font-size: 13px; }
td.number, td.piece { white-space: nowrap; } td.measured { font-weight: 700; }
td.inside, span.inside { color: var(--inside); font-weight: 600; } td.outside, span.outside { color: var(--outside); font-weight: 600; }
span.wide { color: var(--wide); font-weight: 600; } td.wide, td.plain, span.plain { color: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 24px; font-size: 14px; }
.legend span { display: inline-flex; align-items: center; gap: 8px; }
.forest { margin: 8px 0; font-size: 14px; }
.forest .row { display: grid; grid-template-columns: 7em 1fr 21em; column-gap: 16px; align-items: center; padding: 0 10px; }
.forest.claims .row { grid-template-columns: 18em 1fr 16em; }
.forest .row:nth-child(odd):not(.axis) { background: var(--card); }
.forest .name { text-align: right; }
.forest .row > svg { width: 100%; overflow: visible; display: block; }
.forest .numbers { font-variant-numeric: tabular-nums; }
.forest.claims .numbers span { display: block; }
@media (max-width: 720px) {
  .forest .row, .forest.claims .row { grid-template-columns: 1fr; padding: 6px 14px 0; }
  .forest .name { text-align: left; font-weight: 600; }
  .forest .numbers { grid-row: 2; } .forest.claims .numbers span { display: inline; } }
.plot { margin: 8px 0; } .plot > svg { width: 100%; overflow: visible; display: block; }
.square { max-width: 420px; }
svg.results { width: 100%; display: block; margin: 8px 0; }
svg { font-family: system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif; overflow: visible; flex: none; }
svg text { fill: var(--ink); font-size: 14px; } svg text.soft { fill: var(--soft); font-size: 13px; }
svg .grid { stroke: var(--grid); } svg .axis { stroke: var(--soft); }
svg .claimed { fill: var(--inside); opacity: 0.16; }
svg .bar { stroke-width: 7; } svg .bar.inside { stroke: var(--inside); } svg .bar.outside { stroke: var(--outside); }
svg .bar.wide, svg .bar.plain { stroke: var(--wide); }
svg .dot { stroke: var(--paper); stroke-width: 2; } svg .dot.inside { fill: var(--inside); } svg .dot.outside { fill: var(--outside); }
svg .dot.wide, svg .dot.plain { fill: var(--wide); }
svg .reference { fill: var(--mark); stroke: var(--paper); stroke-width: 1.5; }
svg .error { stroke: var(--inside); stroke-width: 2; }
svg .curve { fill: none; stroke-width: 2.2; vector-effect: non-scaling-stroke; } svg .dashed { stroke-dasharray: 5 5; opacity: 0.75; }
svg .c0 { stroke: var(--c0); } svg .c1 { stroke: var(--c1); } svg .c2 { stroke: var(--c2); } svg .c3 { stroke: var(--c3); }
svg .c4 { stroke: var(--c4); } svg .c5 { stroke: var(--c5); } svg .c6 { stroke: var(--c6); } svg .c7 { stroke: var(--c7); }
svg .r4 { fill: #e9b44c; } svg .r3 { fill: #f0d08c; } svg .r2 { fill: #9aa5b1; } svg .r1 { fill: #7f9cc0; } svg .r0 { fill: #34659d; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px;
  overflow-x: auto; font-size: 14px; }
code { font-size: 13px; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; font-size: 14px; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
@media print { body { max-width: none; } section { break-inside: avoid-page; } }
";
