/** Rules of the page of AI traffic alone. */
export const trafficStyle = `
.tools{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center}
.segments{display:inline-flex;flex-wrap:wrap;border:1px solid var(--edge);border-radius:var(--radius);overflow:hidden}
.segments a{display:inline-flex;align-items:center;gap:.4rem;min-height:2.75rem;padding:0 .8rem;text-decoration:none;color:var(--ink)}
.segments a+a{border-left:1px solid var(--edge)}.segments a:hover{background:var(--soft)}.segments a[aria-current]{background:var(--accent);color:var(--on-accent)}
.segments kbd,.tools kbd{font-size:.75em;opacity:.75}
@media (max-width:40rem){.tools kbd{display:none}}
.chips{display:flex;flex-wrap:wrap;gap:.5rem}.chip{display:inline-flex;align-items:center;gap:.5rem;min-height:2.25rem;padding:0 .9rem;border-radius:99px;background:var(--accent-soft);color:var(--ink);text-decoration:none;overflow-wrap:anywhere}
.numbers{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1px;background:var(--line);border:1px solid var(--line);border-radius:14px;overflow:hidden}
@media (min-width:40rem){.numbers{grid-template-columns:repeat(3,minmax(0,1fr))}}@media (min-width:60rem){.numbers{grid-template-columns:repeat(6,minmax(0,1fr))}}
.number{background:var(--card);padding:1rem;display:grid;gap:.1rem;align-content:start}
.number dt{color:var(--dim);font-size:.875rem}.number dd{margin:0}.number .big{font-size:1.6rem;font-weight:680;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.change{font-size:.875rem;color:var(--dim);font-variant-numeric:tabular-nums;white-space:nowrap}.change.up{color:var(--good)}.change.down{color:var(--bad)}
.sides{display:grid;grid-template-columns:minmax(0,1fr);gap:1.25rem}@media (min-width:56rem){.sides{grid-template-columns:minmax(0,1fr) minmax(0,1fr)}}
.sides .card{align-content:start}
.bars{list-style:none;padding:0;display:grid;gap:.15rem}.bars li{margin:0}
.bar-row{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.1rem .8rem;align-items:baseline;padding:.45rem .6rem;border-radius:8px;position:relative;text-decoration:none;color:var(--ink);min-height:2.5rem}
a.bar-row:hover{background:var(--soft)}.bar-row .what{overflow-wrap:anywhere;min-width:0;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}.bar-row .much{font-variant-numeric:tabular-nums;text-align:right;white-space:nowrap}
.bar-row .sub{grid-column:1/-1;color:var(--dim);font-size:.8125rem;overflow-wrap:anywhere}
.bar-row meter{grid-column:1/-1;width:100%;height:.35rem;border:0;background:var(--soft);border-radius:99px}
.bar-row meter::-webkit-meter-bar{background:var(--soft);border:0;border-radius:99px;height:.35rem}.bar-row meter::-webkit-meter-optimum-value{background:var(--accent);border-radius:99px}.bar-row meter::-moz-meter-bar{background:var(--accent);border-radius:99px}
.foot{color:var(--dim);font-size:.875rem;display:grid;gap:.4rem}.foot ul{display:grid;gap:.25rem}
.keys{color:var(--dim);font-size:.875rem}.keys summary{cursor:pointer;min-height:2.5rem;display:flex;align-items:center}.keys dl{display:grid;gap:.35rem;margin:.25rem 0 .75rem}.keys dl>div{display:flex;gap:.75rem}.keys dd{margin:0}.keys kbd{display:inline-block;min-width:1.6rem;text-align:center;border:1px solid var(--line);border-radius:5px;padding:.05rem .35rem}
.bar-row[aria-current]{background:var(--accent-soft)}
.busy{opacity:.6;transition:opacity .15s}
.switch{display:flex;gap:.5rem;align-items:end}.switch select{min-width:0;max-width:22rem}
`
