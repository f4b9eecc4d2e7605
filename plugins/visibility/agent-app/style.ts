/** Style rules of the visibility app in a chat. */
export const style = `
.headline{display:flex;flex-wrap:wrap;align-items:baseline;gap:.125rem .75rem}.headline b{font-size:1.75rem;line-height:1.15;letter-spacing:-.01em}.headline span{color:var(--dim)}
.whisker{display:block;min-width:7rem;overflow:visible}.whisker .axis{stroke:var(--line)}.whisker .reach,.whisker .end{stroke:var(--accent);stroke-width:2}.whisker .dot,.trend .dot{fill:var(--accent);stroke:var(--card);stroke-width:1.5}
.rates{display:grid}.rates>li{display:grid;grid-template-columns:minmax(7rem,11rem) minmax(7rem,1fr) minmax(11rem,auto);gap:.125rem 1.25rem;align-items:center;padding:.5rem 0;border-top:1px solid var(--line)}.rates .of{font-weight:500;overflow-wrap:anywhere}.rates .said{text-align:right}.rates .said small{display:block;color:var(--dim);font-size:.75rem}
.rates .change{font-size:inherit}.pick+.rates{margin-top:.5rem}
.rates .change.up{color:var(--good)}.rates .change.down{color:var(--bad)}
@media (max-width:36rem){.rates>li{grid-template-columns:minmax(0,1fr) auto}.rates .drawn{grid-column:1/-1;grid-row:2;padding:.125rem .25rem .25rem}}
.trend{height:150px}.trend .course{stroke:var(--accent);stroke-width:1.5;stroke-opacity:.6}.trend .reach{stroke:var(--accent);stroke-width:2;stroke-opacity:.5}
`
