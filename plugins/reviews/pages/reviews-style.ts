/** CSS rules for the pages of reviews only. */
export const reviewsStyle = `
.stars{color:var(--warn);letter-spacing:.05em;white-space:nowrap}.stars.low{color:var(--bad)}.stars .off{color:var(--line)}.stars.none{color:var(--dim);letter-spacing:0;font-size:.8125rem}
.review-line{display:flex;gap:.5rem;align-items:baseline;min-width:0}.review-line .who{font-weight:500;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.review-line .when{margin-left:auto;color:var(--dim);white-space:nowrap;font-size:.8125rem}
.review-words{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0}.review-words.silent{color:var(--dim)}
.review-foot{display:flex;gap:.5rem;align-items:center;color:var(--dim);font-size:.8125rem;min-width:0}.review-foot .place{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0}.review-foot .state{margin-left:auto}
.unread .who::before{content:"";display:inline-block;width:.5rem;height:.5rem;border-radius:50%;background:var(--accent);margin-right:.4rem}
.facts-line{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;color:var(--dim)}
.themes{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;margin:0;padding:0}.themes li{margin:0}
.translation{border-inline-start:3px solid var(--line);padding-inline-start:.75rem}
.review-text{max-height:min(6.5rem,18dvh);overflow:auto}
.subnav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}.subnav a[aria-current]{font-weight:600;color:var(--ink);text-decoration:none}
.bars5{list-style:none;margin:0;padding:0;display:grid;gap:.25rem}.bars5 a,.bars5 .bar5{display:grid;grid-template-columns:6rem minmax(0,1fr) 6rem;gap:.75rem;align-items:center;color:var(--ink);text-decoration:none;min-height:2rem}.bars5 meter{width:100%;height:.5rem}.bars5 .much{text-align:end;font-variant-numeric:tabular-nums}
.figures5{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1px;margin:0;background:var(--line);border:1px solid var(--line);border-radius:var(--radius);overflow:hidden}
.figures5>div{background:var(--card);padding:.75rem 1rem}.figures5 dt{color:var(--dim);font-size:.8125rem}.figures5 dd{margin:0}.figures5 .big{font-size:1.75rem;font-weight:600;font-variant-numeric:tabular-nums}
.segments{justify-self:start}
.qr{width:12rem;height:12rem;background:#fff;padding:.5rem;border-radius:var(--radius)}.qr svg{width:100%;height:100%;display:block}
`
