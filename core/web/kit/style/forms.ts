/** Rules of forms, fields and buttons. */
export const formRules = `
form{display:grid;grid-template-columns:minmax(0,1fr);gap:.875rem;margin:0}form.inline{display:inline-grid;justify-self:start}main.wide form{max-width:34rem}
.field{display:grid;gap:.25rem}
.field label,.legend{font-weight:500}.field .optional{color:var(--dim);font-weight:400}
.hint{color:var(--dim);font-size:.8125rem}
.fault{color:var(--bad);font-size:.8125rem;font-weight:500;display:flex;gap:.4rem}
.fault::before{content:"!";flex:none;width:1.1rem;height:1.1rem;margin-top:.05rem;border-radius:50%;background:var(--bad);color:var(--on-bad);font-size:.75rem;font-weight:600;display:grid;place-items:center}
input,select,textarea{font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:6px;padding:.25rem .6rem;min-height:var(--control);width:100%}textarea{padding-block:.4rem}
@media (pointer:coarse){input,select,textarea{font-size:1rem}}
input:focus-visible,select:focus-visible,textarea:focus-visible{outline-offset:0;border-color:var(--accent);border-radius:6px}
input[aria-invalid],textarea[aria-invalid],select[aria-invalid]{border-color:var(--bad);box-shadow:inset 0 0 0 1px var(--bad)}
input[readonly]{background:var(--soft);border-color:var(--line)}
input.code{font-family:var(--mono);font-size:1.25rem;letter-spacing:.18em;min-height:2.75rem}
.check{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.1rem .6rem;align-items:start}
.check input{width:1.125rem;height:1.125rem;min-height:0;margin:.1rem 0 0;accent-color:var(--accent)}
.check label{font-weight:500;overflow-wrap:anywhere}.check .hint,.check .fault{grid-column:2}
@media (pointer:coarse){.check input{width:1.5rem;height:1.5rem}}
fieldset{border:0;margin:0;padding:0;display:grid;gap:.75rem;min-width:0}legend{padding:0;margin-bottom:.25rem;font-weight:600}
.button{font:inherit;overflow-wrap:anywhere;font-weight:500;line-height:1.2;display:inline-flex;align-items:center;justify-content:center;gap:.4rem;min-height:var(--control);padding:.25rem .85rem;border-radius:6px;border:1px solid transparent;cursor:pointer;text-decoration:none;text-align:center;width:auto;transition:background-color .12s,border-color .12s,color .12s}
.button.primary{background:var(--accent);color:var(--on-accent)}.button.primary:hover{background:var(--accent-strong);color:var(--on-accent)}
.button.plain{background:var(--card);border-color:var(--edge);color:var(--ink)}.button.plain:hover{background:var(--soft)}
.button.danger{background:var(--bad);color:var(--on-bad)}.button.danger:hover{background:var(--bad-strong);color:var(--on-bad)}
.button.quiet{background:none;color:var(--accent);padding-inline:.5rem}.button.quiet:hover{background:var(--soft);color:var(--accent-strong)}
.button.whole{width:100%}
.copy{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.5rem}.copy.alone{grid-template-columns:minmax(0,1fr)}
.copy input{font-family:var(--mono);font-size:.8125rem}
.copy [hidden]{display:none}
`
