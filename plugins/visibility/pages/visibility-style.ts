import { chartStyle } from 'renown/web'

/** Rules only for the pages of AI visibility. */
export const visibilityStyle = `${chartStyle}
.under{display:block;font-weight:400}
.whisker{display:block;min-width:7rem;overflow:visible}.whisker .axis{stroke:var(--line)}.whisker .reach,.whisker .end{stroke:var(--accent);stroke-width:2}.whisker .dot,.trend .dot{fill:var(--accent);stroke:var(--card);stroke-width:1.5}
.trend{height:200px}.trend .course{stroke:var(--accent);stroke-width:1.5;stroke-opacity:.6}.trend .reach{stroke:var(--accent);stroke-width:2;stroke-opacity:.5}.trend .cut{stroke:var(--ink);stroke-dasharray:3 3}.trend .mark{fill:var(--ink);font-size:11px;font-weight:600}
.marks{list-style:none;padding:0;font-size:.8125rem}.marks strong{display:inline-grid;place-items:center;min-width:1.25rem;border:1px solid var(--line);border-radius:4px}
.losses{display:grid;gap:.5rem}.losses span{display:block;color:var(--dim);font-size:.8125rem}
.prompt-grid th[scope=row]{min-width:14rem;max-width:24rem}.prompt-grid .cell{padding:0;text-align:center;min-width:5rem;border-left:1px solid var(--line)}.prompt-grid .cell>a,.prompt-grid .cell>span{display:block;padding:.45rem .5rem;color:var(--ink);min-height:2.25rem}.prompt-grid .cell>a:hover{background:var(--soft)}.prompt-grid td:not(.cell){padding-left:.75rem}
.t1{background:color-mix(in srgb,var(--accent) 8%,transparent)}.t2{background:color-mix(in srgb,var(--accent) 16%,transparent)}.t3{background:color-mix(in srgb,var(--accent) 24%,transparent)}.t4{background:color-mix(in srgb,var(--accent) 32%,transparent)}
.answer-text mark.you{background:var(--accent-soft);font-weight:600}.answer-text mark.other{background:var(--warn-soft)}
.answer-list{list-style:none;margin:0;padding:0;display:grid}.answer-list>li{margin:0;padding:.875rem 0;border-top:1px solid var(--line);display:grid;gap:.35rem}.answer-list>li:first-child{border-top:0;padding-top:0}
.segments{justify-self:start}.facts-line{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;color:var(--dim)}
`
