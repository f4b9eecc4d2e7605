/** Style rules of the review inbox in a chat. */
export const style = `
.waits{display:grid}.waits>li{display:grid;grid-template-columns:minmax(0,1fr);gap:.375rem;padding:.875rem 0;border-top:1px solid var(--line)}.waits>li:last-child{padding-bottom:0}
.waits .who{display:flex;flex-wrap:wrap;align-items:baseline;gap:.125rem .625rem;min-width:0}.waits .who>bdi{font-weight:600;overflow-wrap:anywhere;min-width:0}.waits .who .hint{font-size:.8125rem;overflow-wrap:anywhere;min-width:0}.waits .age{margin-left:auto;color:var(--dim);font-size:.8125rem;white-space:nowrap}
.stars{color:#b9770e;letter-spacing:.06em;white-space:nowrap}.stars .off{color:var(--edge);opacity:.4}.stars.none{color:var(--dim);letter-spacing:0}
:root[data-theme=dark] .stars:not(.none){color:#e3ab4a}@media (prefers-color-scheme:dark){:root:not([data-theme]) .stars:not(.none){color:#e3ab4a}}
.words{white-space:pre-line;overflow-wrap:anywhere;max-width:44rem}.words.none{color:var(--dim)}
.words.long{max-height:7.5em;overflow:hidden;mask-image:linear-gradient(#000 70%,transparent)}
.more{justify-self:start}
.draft{border-inline-start:2px solid var(--accent);padding:.125rem 0 .125rem .75rem;display:grid;gap:.125rem;max-width:44rem}.draft .name{color:var(--accent);font-size:.75rem;font-weight:500}
.tag{font-size:.75rem;font-weight:500;border-radius:99px;padding:.0625rem .5rem;background:var(--soft);color:var(--dim)}.tag.urgent{background:var(--bad-soft);color:var(--bad)}.tag.high{background:var(--warn-soft);color:var(--warn)}
.pick .count{color:var(--dim);font-weight:400;margin-left:.25rem}
`
