import { inSchemes } from '../style/tokens'

/** Styles of the charts. The colors can be distinguished in both themes and by color-blind people. */
export const chartStyle = `
${inSchemes('--c1:#0f766e;--c2:#4c78c9;--c3:#b9770e;--c4:#8a94a3', '--c1:#2dd4bf;--c2:#7da2ec;--c3:#e3ab4a;--c4:#74808f')}
.figure{margin:0;display:grid;grid-template-columns:minmax(0,1fr);gap:.5rem}
.plot{border-radius:var(--radius);touch-action:pan-y;min-width:0;overflow:hidden}
.chart{display:block;width:100%;height:auto;max-width:100%}
.chart .grid{stroke:var(--line)}.chart .tick{fill:var(--dim);font-size:11px;font-variant-numeric:tabular-nums}
.chart .before{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-dasharray:4 4;opacity:.7}.chart .open .c1,.chart .open .c2,.chart .open .c3,.chart .open .c4{fill-opacity:.3}.chart .edge{fill:none;stroke:var(--ink);stroke-width:1.5;stroke-dasharray:1 3;stroke-linecap:round}.chart .cursor{stroke:var(--ink);stroke-dasharray:2 2}
.key{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.25rem 1rem;color:var(--dim);font-size:.875rem}.key li{margin:0;display:inline-flex;align-items:center;gap:.4rem}
.key span{width:.8rem;height:.8rem;border-radius:3px}.key .open{background:color-mix(in srgb,var(--c1) 30%,transparent);border-top:2px dotted var(--ink);border-radius:0}.key .dashed{height:0;border-radius:0;border-top:2px dashed var(--ink);background:none}
.tip{min-height:1.55em;font-size:.875rem;color:var(--dim);font-variant-numeric:tabular-nums}
.c1{fill:var(--c1);background:var(--c1)}.c2{fill:var(--c2);background:var(--c2)}.c3{fill:var(--c3);background:var(--c3)}.c4{fill:var(--c4);background:var(--c4)}
.figure summary{cursor:pointer;color:var(--accent);min-height:2rem;display:inline-flex;align-items:center}
`
