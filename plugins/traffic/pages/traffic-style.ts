/** Styles of the page of AI traffic. */
export const trafficStyle = `
.tools{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center}
.numbers{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1px;background:var(--line);border:1px solid var(--line);border-radius:var(--radius);overflow:hidden}
@media (min-width:40rem){.numbers{grid-template-columns:repeat(3,minmax(0,1fr))}}@media (min-width:60rem){.numbers{grid-template-columns:repeat(6,minmax(0,1fr))}}
.number{background:var(--card);padding:.75rem 1rem;display:grid;gap:.1rem;align-content:start}
.number dt{color:var(--dim);font-size:.8125rem}.number dd{margin:0}.number .big{font-size:1.5rem;line-height:1.25;font-weight:600;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.change{font-size:.8125rem;color:var(--dim);font-variant-numeric:tabular-nums;white-space:nowrap}.change.up{color:var(--good)}.change.down{color:var(--bad)}
.sides{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--gap)}@media (min-width:56rem){.sides{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
.sides .card{align-content:start}
.bars{list-style:none;padding:0;display:grid;gap:.15rem}.bars li{margin:0}
.bar-row{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.1rem .8rem;align-items:baseline;padding:.45rem .6rem;border-radius:8px;position:relative;text-decoration:none;color:var(--ink);min-height:2.25rem}
a.bar-row:hover{background:var(--soft)}.bar-row .what{overflow-wrap:anywhere;min-width:0;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}.bar-row .much{font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
.bar-row .sub{grid-column:1/-1;color:var(--dim);font-size:.8125rem;overflow-wrap:anywhere}
.bar-row meter{grid-column:1/-1;width:100%;height:.35rem;border:0;background:var(--soft);border-radius:99px}
.bar-row meter::-webkit-meter-bar{background:var(--soft);border:0;border-radius:99px;height:.35rem}.bar-row meter::-webkit-meter-optimum-value{background:var(--accent);border-radius:99px}.bar-row meter::-moz-meter-bar{background:var(--accent);border-radius:99px}
.foot{color:var(--dim);font-size:.875rem;display:grid;gap:.4rem}.foot ul{display:grid;gap:.25rem}
.bar-row[aria-current]{background:var(--accent-soft)}
.busy{opacity:.6;transition:opacity .15s}
.switch{display:flex;gap:.5rem;align-items:end}.switch select{min-width:0;max-width:22rem}
`
