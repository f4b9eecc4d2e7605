/** CSS rules for the page of webhooks only. */
export const webhooksStyle = `
.hook-types{border:0;margin:0;padding:0;display:grid;gap:.25rem}.hook-types legend{padding:0;font-weight:500}
.hook-url{overflow-wrap:anywhere}
.attempts{list-style:none;margin:0;padding:0;display:grid}.attempts>li{display:grid;gap:.25rem;margin:0;padding:.6rem 0;border-top:1px solid var(--line)}.attempts>li:first-child{border-top:0}
.attempt-line{display:flex;flex-wrap:wrap;gap:.1rem .75rem;align-items:center;min-width:0}.attempt-line .when{margin-inline-start:auto;color:var(--dim);font-size:.8125rem;white-space:nowrap}
.attempt-more{color:var(--dim);font-size:.8125rem;overflow-wrap:anywhere}
.attempt-foot{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;justify-content:space-between}
`
