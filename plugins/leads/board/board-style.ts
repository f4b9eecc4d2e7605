/** CSS rules for the page of leads only. */
export const boardStyle = `
.board{display:grid;grid-template-columns:repeat(5,minmax(11.75rem,1fr));gap:.75rem;align-items:start;overflow-x:auto;padding-bottom:.5rem}
.column{min-width:0;display:grid;gap:.5rem;align-content:start;background:var(--soft);border:1px solid transparent;border-radius:var(--radius);padding:.5rem;min-height:8rem}
.column h2{font-size:.8125rem;font-weight:600;margin:0;padding:.1rem .25rem}.column>.hint{margin:0;padding:.25rem}
.much{color:var(--dim);font-weight:400;font-variant-numeric:tabular-nums}
.column[data-drop=closed]{opacity:.55}.column:is([data-drop=open],[data-drop=over]){border:1px dashed var(--accent)}.column[data-drop=over]{border-style:solid}
.cards{list-style:none;margin:0;padding:0;display:grid;gap:.5rem}.cards>li{margin:0}
.lead-card{background:var(--card);border:1px solid var(--line);border-radius:var(--radius);min-width:0;position:relative}
.lead-card>a{display:grid;grid-template-columns:minmax(0,1fr);gap:.3rem;padding:.6rem .7rem;color:var(--ink);text-decoration:none;border-radius:var(--radius);cursor:pointer}.lead-card>a:hover{background:var(--soft)}
.lead-top{display:flex;gap:.5rem;align-items:baseline;min-width:0}.lead-top .who{font-weight:500;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.lead-top .when{margin-inline-start:auto;color:var(--dim);white-space:nowrap;font-size:.75rem}
.lead-quote{overflow:hidden;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;min-width:0;overflow-wrap:anywhere}.list .lead-quote{-webkit-line-clamp:2}.lead-quote.silent{color:var(--dim)}
.lead-why{overflow:hidden;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;color:var(--dim);font-size:.8125rem;overflow-wrap:anywhere}.list .lead-why{-webkit-line-clamp:1}
.lead-foot{display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:center;color:var(--dim);font-size:.75rem;min-width:0}.lead-foot .place{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0;max-width:14rem}
.lead-foot .state{min-width:0;max-width:100%;align-items:start;white-space:normal;overflow-wrap:anywhere}.lead-foot .step,.lead-foot .state>bdi{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden;min-width:0}.list a{grid-template-columns:minmax(0,1fr)}.lead-foot.next{border-top:1px solid var(--line);padding-top:.3rem}
.points{font-variant-numeric:tabular-nums}
.source-mark{display:inline-block;padding:0 .45rem;border:1px solid var(--line);border-radius:99px;font-size:.75rem;color:var(--dim);white-space:nowrap}
.unread .who::before{content:"";display:inline-block;width:.5rem;height:.5rem;border-radius:50%;background:var(--accent);margin-inline-end:.4rem}
.lead-card.choosable>input{position:absolute;margin:0;inset-block-start:.65rem;inset-inline-start:.7rem}.lead-card.choosable .lead-top{padding-inline-start:1.75rem}.lead-card.choosable:has(>:checked){background:var(--accent-soft)}.board .lead-top{flex-wrap:wrap;gap:0 .5rem}@media (pointer:coarse){.lead-card.choosable .lead-top{padding-inline-start:2.1rem;min-height:1.5rem}}
.more-cards{padding:.25rem;font-size:.8125rem}
.board-hint kbd{font:inherit;border:1px solid var(--line);border-radius:4px;padding:0 .3rem}
.facts-line{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;color:var(--dim)}
.mention-part{display:grid;gap:.4rem}.mention-part+.mention-part{border-top:1px solid var(--line);padding-top:.75rem}.mention-title{margin:0;font-weight:600;overflow-wrap:anywhere}
.draft-part{border-inline-start:3px solid var(--line);padding-inline-start:.75rem}
.rules{margin:0;padding-inline-start:1.1rem;color:var(--dim);font-size:.8125rem}.rules li{margin:0}
@media (max-width:43.74rem){.board{grid-template-columns:minmax(0,1fr);overflow:visible;gap:1rem}.column{background:none;padding:0;min-height:0}.column .cards{gap:0;border:1px solid var(--line);border-radius:var(--radius);overflow:hidden;background:var(--card)}.lead-card{border:0;border-radius:0}.lead-card+.lead-card{border-top:1px solid var(--line)}.board-hint{display:none}.more-cards{padding:.75rem .25rem}.lead-quote{-webkit-line-clamp:2}
.filters{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.filters .more{grid-column:1/-1}.filters .more-fields{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr)}.filters .field select{width:100%;min-width:0}}
`
