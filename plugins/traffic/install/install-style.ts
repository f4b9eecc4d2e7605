/** Styles of the site pages. */
export const installStyle = `
.copyable{display:grid;grid-template-columns:minmax(0,1fr);gap:.5rem;justify-items:start}.copyable pre{width:100%}
.choice{grid-template-columns:minmax(0,1fr) auto;align-items:end}.choice .hint{grid-column:1/-1}
.signs{list-style:none;padding:0;display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem}
.signs li{display:flex;flex-wrap:wrap;gap:.2rem .7rem;align-items:baseline;margin:0}.signs li>:last-child{flex:1 1 14rem;min-width:0;overflow-wrap:anywhere}
.brief{display:inline-block;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom}
.findings{display:grid;grid-template-columns:minmax(0,1fr);gap:.75rem}
.senders ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.4rem;margin:.25rem 0 0}.senders li{margin:0}
.senders a{display:flex;align-items:center;min-height:2.75rem;padding:0 .8rem;border:1px solid var(--edge);border-radius:99px;text-decoration:none;color:var(--ink)}
.senders a:hover{background:var(--soft)}.senders a[aria-current]{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}
.sender-kinds{display:grid;grid-template-columns:minmax(0,1fr)}.senders>summary .hint{margin-left:.35rem}details.senders[open]{padding-bottom:.75rem}details.senders[open]>summary{margin-bottom:0}
.file{max-height:26rem;overflow:auto;border:1px solid var(--line);border-radius:var(--radius)}.file pre{border:0}.file .button{grid-row:1;position:sticky;top:.5rem;margin:.5rem .5rem 0;justify-self:end}
.recipe{display:grid;grid-template-columns:minmax(0,1fr);gap:.9rem}.recipe h3{margin-top:.5rem}.recipe li>*+*{margin-top:.5rem}.recipe table{min-width:24rem}
main details>summary{cursor:pointer;overflow-wrap:anywhere;min-height:2.75rem;display:list-item;align-content:center}main details[open]>summary{margin-bottom:.75rem}
`
