/** Rules for reports as HTML. */
export const reportStyle = `
.report{display:grid;gap:1.5rem;max-width:52rem}.report h1{margin:0;color:var(--brand,inherit)}.report h2{color:var(--brand,inherit)}.report-title{margin:0;font-size:1.5rem}
.report-logo{display:block;max-width:min(100%,15rem);max-height:4rem;margin-bottom:1rem;padding:.5rem;border-radius:6px;background:#fff}
.report header p{margin:0}.report-subject{font-size:1.125rem}
.report-part{display:grid;gap:.875rem}.report-part h2{margin:0;padding-top:1rem;border-top:1px solid var(--line)}.report-part h3{margin:.5rem 0 0;font-size:.9375rem}
.report-figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(12rem,46%),1fr));gap:.75rem}
.report-figure{display:grid;gap:.15rem;align-content:start;padding:.75rem;border:1px solid var(--line);border-radius:6px;font-size:.8125rem}.report-figure strong{font-size:1.25rem}
.report-why{display:block}.report-good{color:var(--good)}.report-bad{color:var(--bad)}
.report-chart{margin:0;overflow-x:auto}.report-chart svg{display:block;width:100%;min-width:30rem;height:auto}.report-chart figcaption h3{margin-bottom:.5rem}
.report-text p{max-width:42rem}.report-did,.report-next{display:grid;gap:.5rem;margin:0;padding-left:1.25rem}.report-did li::marker{content:'✓ '}.report-next li::marker{content:'→ '}.report-did .hint,.report-next .hint{display:block}
.report th,.report td{min-width:3.25rem}.report tbody th{min-width:6.5rem}
.report-rest[open] .report-all,.report-rest:not([open]) .report-few{display:none}.report-rest[open]>summary{margin-bottom:0}
@media screen{.report .scroll:has(+.report-rest:not([open])) tbody tr:nth-child(n+9){display:none}}
@media print{.report-rest,.report-fold>summary{display:none}.report-fold::details-content{content-visibility:visible;display:block;height:auto}.report-fold table{margin-bottom:1rem}}
.report-desk{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--gap);align-items:start}.report-acts{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--gap)}
@media (min-width:75rem){.report-desk.two{grid-template-columns:minmax(0,54rem) minmax(18rem,1fr)}.report-jump{display:none}}
@media print{.report-acts,.report-jump{display:none}}
.report-evidence p{margin:.15rem 0 0}.report-hash{overflow-wrap:anywhere}
`
