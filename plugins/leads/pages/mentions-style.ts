/** CSS rules for the pages of mentions only. */
export const mentionsStyle = `
.mention-line{display:flex;gap:.5rem;align-items:baseline;min-width:0}.mention-line .who{font-weight:500;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.mention-line .when{margin-inline-start:auto;color:var(--dim);white-space:nowrap;font-size:.8125rem}
.mention-words{overflow:hidden;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;min-width:0;overflow-wrap:anywhere}.mention-words.silent{color:var(--dim)}
.mention-foot{display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:center;color:var(--dim);font-size:.8125rem;min-width:0}.mention-foot .place{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0;max-width:14rem}.mention-foot .state{margin-inline-start:auto}
.unread .who::before{content:"";display:inline-block;width:.5rem;height:.5rem;border-radius:50%;background:var(--accent);margin-inline-end:.4rem}
.facts-line{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center;color:var(--dim)}
.source-mark{display:inline-block;padding:0 .45rem;border:1px solid var(--line);border-radius:99px;font-size:.75rem;color:var(--dim);white-space:nowrap}
.mention-title{margin:0;font-size:1rem;font-weight:600;overflow-wrap:anywhere}
.why{display:grid;gap:.75rem;margin:0}.why>div{display:grid;gap:.1rem}.why dt{display:flex;gap:.5rem;align-items:baseline;font-weight:500}.why dd{margin:0;color:var(--dim);overflow-wrap:anywhere}.why .score{font-variant-numeric:tabular-nums;color:var(--dim);font-weight:400}
.rules{margin:0;padding-inline-start:1.1rem;color:var(--dim);font-size:.8125rem}.rules li{margin:0}
.copies{list-style:none;margin:0;padding:0;display:grid}.copies li{display:flex;flex-wrap:wrap;gap:.1rem .6rem;margin:0;padding:.35rem 0;border-top:1px solid var(--line)}.copies li:first-child{border-top:0}
.decide{position:sticky;bottom:0;background:var(--card);padding:.5rem 0 0;border-top:1px solid var(--line)}
.subnav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}.subnav a[aria-current]{font-weight:600;color:var(--ink);text-decoration:none}
.tracker-editor{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--gap);align-items:start}main.wide .tracker-editor>form{max-width:none;gap:var(--gap)}@media (min-width:64rem){.tracker-editor{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}.tracker-editor>.card{position:sticky;top:1rem;max-height:calc(100dvh - 2rem);overflow:auto}}
.source-boxes{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.25rem 1rem}.source-boxes legend{grid-column:1/-1}
.mistakes,.preview-lines,.source-looks,.learned{list-style:none;margin:0;padding:0;display:grid}.mistakes li,.preview-lines li,.learned li{margin:0;padding:.5rem 0;border-top:1px solid var(--line);display:grid;gap:.25rem}.mistakes li:first-child,.preview-lines li:first-child,.learned li:first-child,.source-looks>li:first-child{border-top:0}
.mistakes{color:var(--bad)}.mistakes code{color:var(--ink);overflow-wrap:anywhere}.mistakes mark{background:var(--bad-soft);color:var(--bad);text-decoration:underline}
.preview-text{overflow-wrap:anywhere}.learned li{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem}.learned li>:first-child{flex:1 1 16rem;overflow-wrap:anywhere}
.source-looks>li{margin:0;padding:.4rem 0;border-top:1px solid var(--line);display:flex;flex-wrap:wrap;gap:.1rem .75rem;align-items:center}.source-looks .look-name{flex:0 0 10rem;font-weight:500}.source-looks .hint{margin:0;overflow-wrap:anywhere;min-width:0}.look-notes{flex:1 1 100%;padding-inline-start:1.1rem}.look-notes li{margin:0}
.keywords-cell{display:block;max-width:18rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.sample .mention-words{text-align:start}
`
