/** Rules of plain elements and of the parts of every page. */
export const baseRules = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:4rem}
body{margin:0;min-height:100vh;min-height:100dvh;background:var(--paper);color:var(--ink);font:.875rem/1.5 var(--sans)}
table,time,.large,.count,.much,.big,.change,.chart,.interval,.numbers{font-variant-numeric:tabular-nums}
h1,h2,h3{line-height:1.3;letter-spacing:-.006em;margin:0;font-weight:600;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:1.25rem}h2{font-size:1rem}h3{font-size:.875rem}
strong,b{font-weight:600}
p,dl,dd,figure{margin:0}p{text-wrap:pretty}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}a:hover{color:var(--accent-strong)}
ul,ol{margin:0;padding-left:1.25rem}li+li{margin-top:.25rem}
code,pre,kbd{font-family:var(--mono);font-size:.9em}
code{background:var(--soft);border-radius:4px;padding:.1em .35em;overflow-wrap:anywhere}
pre{margin:0;background:var(--soft);border:1px solid var(--line);border-radius:var(--radius);padding:.75rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere}
pre code{background:none;padding:0}
kbd{display:inline-block;min-width:1.25rem;text-align:center;border:1px solid var(--line);border-radius:4px;padding:0 .3rem;background:var(--card);color:var(--dim)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-99rem;top:.5rem;background:var(--card);padding:.6rem 1rem;border-radius:var(--radius);z-index:9}.skip:focus{left:.5rem}
.icon{display:inline-block;flex:none;width:1rem;height:1rem;background:currentColor;mask:var(--i) center/contain no-repeat;vertical-align:-.15em}
.sign{display:inline-grid;place-items:center;flex:none;width:1rem;height:1rem;border-radius:4px;background:var(--soft);color:var(--dim);font-size:.625rem;font-weight:600;line-height:1;vertical-align:-.15em;overflow:hidden}
.head{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;min-height:2rem}.head>div:first-child{flex:1 1 20rem;min-width:0;display:grid;gap:.15rem}.head p{color:var(--dim);max-width:44rem}.head .tools{margin-left:auto}
.card{background:var(--card);border:1px solid var(--line);border-radius:var(--radius);padding:1rem;display:grid;grid-template-columns:minmax(0,1fr);gap:.875rem;align-content:start}
.card>header{display:grid;grid-template-columns:minmax(0,1fr);gap:.15rem}.card>header p{color:var(--dim);font-size:.8125rem}
.page,.stack{display:grid;grid-template-columns:minmax(0,1fr);align-content:start;gap:var(--gap);min-width:0}
.row{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center}.row.end{justify-content:flex-end}.row.apart{justify-content:space-between}
.choices{list-style:none;padding:0}.choices .button{justify-content:flex-start;text-align:left;color:var(--ink);overflow-wrap:anywhere}
.tasks{list-style:none;padding:0;display:grid;gap:.75rem}.tasks li{margin:0}.tasks a{font-weight:600}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,14rem),1fr));gap:var(--gap)}.figures:empty{display:none}.large{font-size:1.75rem;font-weight:600;line-height:1.15}
.steps{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.4rem 1.25rem;counter-reset:step;color:var(--dim);font-size:.8125rem}.steps li{margin:0;counter-increment:step;display:flex;gap:.45rem;align-items:center}
.steps li::before{content:counter(step);display:grid;place-items:center;width:1.5rem;height:1.5rem;border-radius:50%;border:1px solid var(--edge);font-weight:600}
.steps [aria-current]{color:var(--ink);font-weight:600}.steps [aria-current]::before{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.notice{border:1px solid var(--line);border-left:3px solid var(--edge);background:var(--card);border-radius:var(--radius);padding:.75rem 1rem;display:grid;grid-template-columns:minmax(0,1fr);gap:.25rem}
.notice.lost,.live-notice{position:sticky;top:.5rem;z-index:4}.notice h2,.notice h3{font-size:.875rem}
.notice.good{border-color:var(--good);background:var(--good-soft)}.notice.good h2{color:var(--good)}
.notice.warn{border-color:var(--warn);background:var(--warn-soft)}.notice.warn h2{color:var(--warn)}
.notice.bad{border-color:var(--bad);background:var(--bad-soft)}.notice.bad h2{color:var(--bad)}.notice.bad a{color:var(--bad)}
.badge{display:inline-flex;align-items:center;gap:.3rem;font-size:.75rem;font-weight:500;line-height:1.35;border-radius:99px;padding:.1rem .55rem;background:var(--soft);color:var(--dim);white-space:nowrap}
.badge.good{background:var(--good-soft);color:var(--good)}.badge.warn{background:var(--warn-soft);color:var(--warn)}.badge.bad{background:var(--bad-soft);color:var(--bad)}
.scroll{position:relative;overflow-x:auto;margin:0 -1rem;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-size:.8125rem}
th,td{text-align:left;padding:.45rem .9rem .45rem 0;border-top:1px solid var(--line);vertical-align:top;min-width:6rem}
thead th{border-top:0;padding-top:0;color:var(--dim);font-size:.75rem;font-weight:500}
tbody th{font-weight:500;overflow-wrap:anywhere;min-width:9.5rem}td code{white-space:nowrap}td time{white-space:nowrap}td:last-child,th:last-child{padding-right:0}td.end,th.end{text-align:right}
dl.facts{margin:0;display:grid;gap:.1rem}dl.facts dt{color:var(--dim);font-size:.8125rem}dl.facts dd{margin:0 0 .5rem;overflow-wrap:anywhere}
.cards-on-phone .end{min-width:4rem}th>a>bdi+.badge{margin-inline-start:.4rem}
@media (max-width:40rem){.cards-on-phone{margin:0;padding:0;overflow:visible}.cards-on-phone thead{display:none}.cards-on-phone :is(table,tbody,tr,th,td){display:block;min-width:0}.cards-on-phone tr{padding:.6rem 0;border-top:1px solid var(--line)}.cards-on-phone tr:first-child{border-top:0;padding-top:0}.cards-on-phone :is(th,td){border:0;padding:.15rem 0}.cards-on-phone th{font-size:.875rem}.cards-on-phone td{text-align:end;overflow-wrap:anywhere}.cards-on-phone td::before{content:attr(data-label);float:inline-start;padding-inline-end:1rem;color:var(--dim)}.cards-on-phone td::after{content:"";display:block;clear:both}.cards-on-phone td code{white-space:normal}}
.views ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.1rem .25rem;border-bottom:1px solid var(--line)}.views li{margin:0}
.views a{display:flex;align-items:center;min-height:var(--control);padding:0 .75rem;color:var(--dim);text-decoration:none;font-weight:500}.views a:hover{color:var(--ink)}.views a[aria-current]{color:var(--ink);box-shadow:inset 0 -2px 0 var(--accent)}
.fold>summary{cursor:pointer;overflow-wrap:anywhere;min-height:var(--control);display:list-item;align-content:center}.fold[open]>summary{margin-bottom:.75rem}
ul.plain{list-style:none;padding:0}ul.plain ul.plain{padding-left:1rem}.lines{white-space:pre-line;overflow-wrap:anywhere}textarea{resize:vertical}.capped{display:inline-block;max-width:18rem}
.empty{color:var(--dim);text-align:center;padding:1.5rem .5rem;display:grid;gap:.5rem;justify-items:center}.empty strong{color:var(--ink)}
.codes{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.4rem}.codes li{margin:0}
.codes code{display:block;text-align:center;padding:.5rem;font-size:1rem;letter-spacing:.04em}
.qr{background:#fff;border-radius:var(--radius);border:1px solid var(--line);padding:.75rem;width:13.5rem;max-width:100%;justify-self:center}.qr svg{display:block;width:100%;height:auto}
.unseen,.exact{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
time{position:relative}time:hover>.exact,time:focus-visible>.exact,a:focus-visible time>.exact{width:auto;height:auto;clip-path:none;z-index:7;left:0;bottom:calc(100% + .25rem);background:var(--ink);color:var(--paper);border-radius:4px;padding:.1rem .5rem;font-size:.75rem;font-weight:400}
@media (min-width:48rem){dl.facts{grid-template-columns:minmax(9rem,auto) minmax(0,1fr);gap:.1rem 1.5rem}.halves{grid-template-columns:repeat(2,minmax(0,1fr));align-items:start}}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important;scroll-behavior:auto!important}}
@media (forced-colors:active){.button{border-color:ButtonText}.badge{border:1px solid}.icon{forced-color-adjust:none;background:CanvasText}}
`
