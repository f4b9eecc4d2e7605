/** Rules of the components in `core/web/kit/parts`. */
export const partRules = `
.panes{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--gap);align-items:start}
.panes .list{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--line);border-radius:var(--radius);overflow:hidden}.panes .list>li{margin:0}.panes .list>li+li{border-top:1px solid var(--line)}
.panes .list a{display:grid;gap:.1rem;padding:.5rem .75rem;min-height:2.25rem;color:var(--ink);text-decoration:none}.panes .list a:hover{background:var(--soft)}.panes .list a[aria-current]{background:var(--accent-soft);box-shadow:inset 2px 0 0 var(--accent)}
.panes .list a:focus-visible{outline-offset:-2px}
.panes>.detail{min-width:0;display:grid;grid-template-columns:minmax(0,1fr);gap:var(--gap)}.panes .back{display:inline-flex;align-items:center;gap:.4rem;min-height:var(--control)}
.panes>.unchosen{margin:0;padding:4rem 1rem;text-align:center;color:var(--dim);border:1px dashed var(--line);border-radius:var(--radius)}
@media (max-width:63.99rem){.panes.chosen>.list-side,.panes>.unchosen{display:none}}
@media (min-width:64rem){.panes{grid-template-columns:minmax(18rem,2fr) minmax(0,3fr)}.panes>.detail{position:sticky;top:1rem;max-height:calc(100dvh - 2rem);overflow:auto}.panes .back{display:none}}
.filters{display:flex;flex-wrap:wrap;align-items:end;gap:.5rem .75rem;max-width:none!important}.filters .field{flex:0 1 11rem;min-width:0}.filters .field.long{flex:1 1 14rem}.filters label{font-size:.75rem;color:var(--dim)}
progress{width:100%;height:.5rem;accent-color:var(--accent)}
.filters .more{flex:1 1 100%}.filters .more>summary{cursor:pointer;width:fit-content;color:var(--dim);font-size:.8125rem;min-height:var(--control);display:flex;align-items:center}.filters .more-fields{display:flex;flex-wrap:wrap;gap:.5rem .75rem}
@media (max-width:63.99rem){main:has(.panes.chosen) .above-list{display:none}}
.chips{display:flex;flex-wrap:wrap;gap:.4rem;list-style:none;padding:0;margin:0}.chips li{margin:0}.chip{display:inline-flex;align-items:center;gap:.4rem;min-height:1.75rem;padding:0 .7rem;border-radius:99px;background:var(--accent-soft);color:var(--ink);font-size:.8125rem;text-decoration:none;overflow-wrap:anywhere}
@media (pointer:coarse){.chip{min-height:2.75rem}}
.toasts{position:fixed;z-index:8;left:50%;bottom:4.5rem;translate:-50%;display:grid;gap:.5rem;width:max-content;max-width:calc(100vw - 2rem)}@media (min-width:56.25rem){.toasts{bottom:1.5rem}}
.toast{display:flex;align-items:center;gap:.5rem 1rem;background:var(--ink);color:var(--paper);border-radius:var(--radius);padding:.35rem .5rem .35rem 1rem;box-shadow:var(--shadow);min-height:2.75rem;animation:rise .12s}.toast .button,.toast a{color:var(--paper);text-decoration:underline}.toast .button:hover{background:none;color:var(--paper)}.toast .icon{color:inherit}
@keyframes rise{from{opacity:0;translate:0 .5rem}}
.quote{margin:0;border-left:3px solid var(--line);padding-left:.75rem;white-space:pre-line;overflow-wrap:anywhere}.quote[dir=rtl]{border-left:0;padding-left:0;border-right:3px solid var(--line);padding-right:.75rem}
mark{background:var(--accent-soft);color:inherit;border-radius:3px;padding:0 .1em}.by{padding:0;text-align:start;color:var(--dim);font-size:.75rem}
.state{display:inline-flex;align-items:baseline;gap:.35rem;font-size:.8125rem;font-weight:500;color:var(--dim);white-space:nowrap}.state>.icon{align-self:center}.state.good{color:var(--good)}.state.warn{color:var(--warn)}.state.bad{color:var(--bad)}
.interval{display:block;width:100%;max-width:20rem;height:1.25rem}.interval .track{fill:var(--soft)}.interval .range{fill:var(--accent);fill-opacity:.3}.interval .point{fill:var(--accent)}
.diff{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--card);border:1px solid var(--line);border-radius:var(--radius);padding:.75rem 1rem}.diff ins{background:var(--good-soft);color:var(--good);text-decoration:underline}.diff del{background:var(--bad-soft);color:var(--bad)}
.news{list-style:none;margin:0;padding:0;display:grid}.news li{margin:0;padding:.875rem 0;display:grid;gap:.25rem;justify-items:start;border-top:1px solid var(--line)}.news li>.row{width:100%}.news li:first-child{border-top:0;padding-top:0}.news h2{font-size:.875rem;margin:0}.news p{margin:0;color:var(--dim)}
.timeline{list-style:none;margin:0;padding:0;display:grid}.timeline li{margin:0;display:grid;grid-template-columns:1rem minmax(0,1fr);gap:0 .75rem;padding-bottom:.875rem;position:relative;color:var(--dim)}.timeline li>.icon{margin-top:.2rem}.timeline li:not(:last-child)::before{content:"";position:absolute;left:.5rem;top:1.4rem;bottom:0;width:1px;background:var(--line)}
.timeline li.good>.icon{color:var(--good)}.timeline li.warn>.icon{color:var(--warn)}.timeline li.bad>.icon{color:var(--bad)}.timeline .what{color:var(--ink)}.timeline time{font-size:.75rem}
.evidence{position:relative;display:inline-block}.evidence>summary{cursor:pointer;list-style:none;display:inline-flex;align-items:center;gap:.3rem;text-decoration:underline dotted var(--edge);text-underline-offset:.25em;min-height:1.5rem}.evidence>summary::-webkit-details-marker{display:none}
.evidence>div{position:absolute;z-index:6;left:0;top:calc(100% + .25rem);width:min(20rem,calc(100vw - 4rem));background:var(--card);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow);padding:.75rem;display:grid;gap:.5rem;font-size:.8125rem;font-weight:400;color:var(--ink);text-align:left}
.segments{display:inline-flex;flex-wrap:wrap;border:1px solid var(--edge);border-radius:6px;overflow:hidden}.segments a{display:inline-flex;align-items:center;gap:.35rem;min-height:calc(var(--control) - 2px);padding:0 .7rem;text-decoration:none;color:var(--ink)}.segments a+a{border-left:1px solid var(--edge)}.segments a:hover{background:var(--soft)}.segments a[aria-current]{background:var(--accent);color:var(--on-accent)}.segments a:focus-visible{outline-offset:-3px}
.segments kbd,.tools kbd{background:none;border:0;color:inherit;min-width:0;padding:0;opacity:.8}
@media (max-width:40rem){.tools kbd,.segments kbd{display:none}}
.range{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:end}.range form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}.range .field label{font-size:.75rem;color:var(--dim)}.range details[open]>form{margin-top:.5rem}
.key-hints{color:var(--dim);font-size:.8125rem}.key-hints summary{cursor:pointer;min-height:var(--control);display:flex;align-items:center;gap:.4rem}.key-hints dl{display:grid;gap:.3rem;margin:.25rem 0 .5rem}.key-hints dl>div{display:flex;gap:.75rem}.key-hints dt{min-width:3.5rem}.key-hints dd{margin:0}
.sample{opacity:.45;pointer-events:none;width:100%;max-width:24rem}
.home-figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,15rem),1fr));gap:var(--gap)}.home-figures h2{font-size:.8125rem;color:var(--dim);font-weight:500}.home-figures>.card{gap:.35rem;grid-template-rows:auto auto auto 1fr auto}
@media (max-width:40rem){.home-figures{grid-template-columns:repeat(2,minmax(0,1fr));gap:.5rem}.home-figures>.card{padding:.75rem}}
.figure-line{display:flex;flex-wrap:wrap;align-items:baseline;gap:.1rem .5rem}.change{font-size:.8125rem;color:var(--dim);white-space:nowrap}.change.up{color:var(--good)}.change.down{color:var(--bad)}
.figure-foot{display:flex;flex-wrap:wrap;align-items:center;gap:.1rem .75rem;font-size:.8125rem;align-self:end}.figure-foot .evidence{font-size:.8125rem}.figure-foot .evidence>summary{color:var(--dim)}
.sparkline{display:block;width:100%;max-width:15rem;height:auto}.sparkline path{fill:none;stroke:var(--accent);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.brief{list-style:none;margin:0;padding:0;display:grid}.brief li{display:grid;grid-template-columns:1rem minmax(0,1fr);gap:0 .75rem;align-items:center;margin:0;padding:.4rem 0;min-height:2.25rem;border-top:1px solid var(--line);color:var(--dim)}.brief li:first-child{border-top:0}.brief.problems li{grid-template-columns:1rem minmax(0,1fr) auto}.brief .what{color:var(--ink);overflow-wrap:anywhere}
.brief li.good>.icon{color:var(--good)}.brief li.warn>.icon{color:var(--warn)}.brief li.bad>.icon,.brief.problems li>.icon{color:var(--bad)}.brief a{overflow-wrap:anywhere}
.tabs{display:flex;flex-wrap:wrap;gap:.25rem 1rem}.tabs a{display:inline-flex;align-items:center;gap:.4rem;min-height:var(--control)}.tabs a[aria-current]{font-weight:600;color:var(--ink);text-decoration:none}
.inbox-line{display:flex;gap:.5rem;align-items:baseline;min-width:0}.inbox-line .what{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.inbox-line .when{margin-left:auto;color:var(--dim);white-space:nowrap;font-size:.8125rem}.inbox-line.dim{color:var(--dim);font-size:.8125rem}
.inbox-words{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0}.plain-text{white-space:pre-line;overflow-wrap:anywhere}
`
