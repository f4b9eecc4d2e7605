/** Styles of the page of AI traffic. */
export const trafficStyle = `
.head .tools{display:flex;flex-wrap:nowrap;gap:.5rem;align-items:center;max-width:100%;min-width:0}
.switch{display:flex;gap:.5rem;min-width:0;flex:0 1 14rem}.switch select{min-width:0;text-overflow:ellipsis}.switch .button{flex:none}
.period{position:relative;flex:none}.period>summary{list-style:none;white-space:nowrap}.period>summary::-webkit-details-marker{display:none}
.period .menu{right:0;top:calc(100% + .25rem);width:min(20rem,calc(100vw - 2rem));gap:.5rem}.period .menu nav{display:grid}.period .menu a{justify-content:space-between}.period .menu a[aria-current]{background:var(--accent-soft)}
.own-period{border-top:1px solid var(--line);padding:.5rem .25rem .25rem;grid-template-columns:repeat(2,minmax(0,1fr))!important;gap:.5rem!important}.own-period .button{grid-column:1/-1;justify-content:center;text-align:center;width:100%}
@media (max-width:40rem){.step{display:none}.head .tools{width:100%}.switch{flex:1 1 0}}
.numbers{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 1px;background:var(--line);border:1px solid var(--line);border-radius:var(--radius);overflow:hidden}
@media (min-width:40rem){.numbers{grid-template-columns:repeat(3,minmax(0,1fr))}}@media (min-width:60rem){.numbers{grid-template-columns:repeat(6,minmax(0,1fr))}}
.number{background:var(--card);padding:.625rem 1rem;display:grid;grid-row:span 4;grid-template-rows:subgrid;row-gap:.05rem;align-items:baseline;box-shadow:0 1px 0 var(--line)}
.number dt{color:var(--dim);font-size:.8125rem}.number dd{margin:0}.number .big{font-size:1.75rem;line-height:1.2;font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.number .hint{font-size:.75rem}@media (max-width:40rem){.number{padding:.4rem .75rem}.number .big{font-size:1.375rem}}
.change{font-size:.8125rem;color:var(--dim);font-variant-numeric:tabular-nums;white-space:nowrap}.change.up{color:var(--good)}.change.down{color:var(--bad)}
.sides{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--gap);align-items:start}@media (min-width:56rem){.sides{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
.bars{list-style:none;padding:0;display:grid;gap:.15rem}.bars li{margin:0}
.bar-row{display:grid;grid-template-columns:minmax(0,auto) minmax(0,1fr) auto;gap:.1rem .6rem;align-items:baseline;padding:.3rem .6rem;margin:0 -.6rem;border-radius:8px;text-decoration:none;color:var(--ink);min-height:2.25rem}
a.bar-row:hover{background:var(--soft)}.bar-row .what{grid-column:1;white-space:nowrap;overflow:hidden;text-overflow:ellipsis;min-width:0}.bar-row .much{grid-column:3;font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
.bar-row .sub{grid-column:2;color:var(--dim);font-size:.75rem;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.bar-row meter{grid-column:1/-1;width:100%;height:.3rem;border:0;background:var(--soft);border-radius:99px}
.bar-row meter::-webkit-meter-bar{background:var(--soft);border:0;border-radius:99px;height:.3rem}.bar-row meter::-webkit-meter-optimum-value{background:var(--accent);border-radius:99px}.bar-row meter::-moz-meter-bar{background:var(--accent);border-radius:99px}
.list-foot{font-size:.8125rem}
.foot{color:var(--dim);font-size:.875rem;display:grid;gap:.4rem}.foot ul{display:grid;gap:.25rem}
.bar-row[aria-current]{background:var(--accent-soft)}
.busy{opacity:.6;transition:opacity .15s}
`
