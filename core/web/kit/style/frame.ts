/**
 * Rules of the frame of a page. On phones: a row at the top and a bar of five at the bottom. From 900 px on: a side
 * bar of 224 px, which can be narrowed to its icons.
 */
export const frameRules = `
body{display:flex;flex-direction:column}
main{flex:1;width:100%;margin:0 auto;padding:1rem 1rem 3rem;display:grid;grid-template-columns:minmax(0,1fr);align-content:start;gap:var(--gap);overflow-wrap:anywhere}table{overflow-wrap:break-word}
main.narrow{max-width:29rem;padding-top:clamp(1.5rem,9vh,6rem)}main.wide{max-width:90rem}.desk main.narrow{max-width:34rem;padding-top:1.5rem}
.lone{display:flex;justify-content:center}
footer{color:var(--dim);font-size:.75rem;text-align:center;padding:0 1rem 1.5rem}
.brand{display:inline-flex;align-items:center;gap:.5rem;font-weight:600;color:var(--ink);text-decoration:none;min-height:var(--control);overflow-wrap:anywhere}.brand svg{flex:none;color:var(--accent)}
.side{background:var(--card);border-bottom:1px solid var(--line);display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .5rem;padding:.4rem 1rem;overflow-wrap:anywhere}
.side>nav,.side .fold-side,.side .me{display:none}
.side .brand .label{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.place{position:relative;flex:1;min-width:0;color:var(--dim)}span.place{padding:.3rem .5rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.place>summary{cursor:pointer;min-height:var(--control);display:flex;align-items:center;gap:.4rem;padding:0 .5rem;border:1px solid var(--line);border-radius:6px;color:var(--ink);font-weight:500;list-style:none;width:fit-content;max-width:100%}
.place>summary bdi{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.place>summary::-webkit-details-marker{display:none}.place>summary:hover{background:var(--soft)}.place>summary .icon{color:var(--dim)}
.menu{position:absolute;z-index:6;background:var(--card);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow);padding:.35rem;display:grid;gap:.1rem;overflow:auto;max-height:70vh}
.place .menu{top:calc(100% + .25rem);left:0;width:min(20rem,calc(100vw - 2rem))}.place form{gap:.1rem}.place form+form{margin-top:.25rem}
.menu .button,.menu a{justify-content:flex-start;text-align:left;color:var(--ink);overflow-wrap:anywhere;width:100%;font-weight:400}.menu a{display:flex;align-items:center;gap:.5rem;min-height:var(--control);padding:0 .5rem;border-radius:6px;text-decoration:none}.menu a:hover{background:var(--soft)}.menu [hidden]{display:none}
.bell{position:absolute;z-index:5;top:.4rem;right:1rem}.bell a{position:relative;display:inline-grid;place-items:center;min-width:var(--control);min-height:var(--control);border-radius:6px;color:var(--dim)}.has-bell>.side{padding-right:4rem}.bell a:hover{background:var(--soft);color:var(--ink)}
.bell .count{position:absolute;top:-.1rem;left:55%}
.count{font-size:.6875rem;font-weight:600;line-height:1.1rem;min-width:1.1rem;text-align:center;padding:0 .3rem;border-radius:99px;background:var(--accent);color:var(--on-accent)}
.demo{order:9;flex:1 1 100%;display:flex;flex-wrap:wrap;align-items:center;gap:0 .25rem;font-size:.75rem;color:var(--warn);background:var(--warn-soft);border-radius:6px;padding:0 .5rem}
.demo p{margin-right:auto;padding:.25rem 0}.demo .button{font-size:.75rem;color:var(--ink);text-decoration:underline;padding-inline:.15rem}
.entries{list-style:none;padding:0}.entries li{margin:0}
.entries a{display:flex;align-items:center;gap:.6rem;min-height:var(--control);padding:0 .5rem;border-radius:6px;color:var(--dim);text-decoration:none;font-weight:500}
.entries a:hover{background:var(--soft);color:var(--ink)}.entries a[aria-current]{background:var(--soft);color:var(--ink)}.entries a[aria-current] .icon{color:var(--accent)}
.entries .count{margin-left:auto;background:var(--soft);color:var(--ink)}.entries a[aria-current] .count,.entries a:hover .count{background:var(--card)}
.entries+.entries,.set-up,.set-up+.entries{border-top:1px solid var(--line);margin-top:.5rem;padding-top:.5rem}
.set-up p{padding:.15rem .5rem;font-size:.75rem;color:var(--dim)}.sheet .set-up{margin-top:0}
.within{overflow-x:auto;border-bottom:1px solid var(--line);margin:-.5rem 0 0}.within ul{list-style:none;margin:0;padding:0;display:flex}.within li{margin:0}
.within a{display:flex;align-items:center;min-height:2.5rem;padding:0 .7rem;white-space:nowrap;color:var(--dim);text-decoration:none;font-weight:500}.within a:hover{color:var(--ink)}.within a[aria-current]{color:var(--ink);box-shadow:inset 0 -2px 0 var(--accent)}
.looks{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:.15rem;padding:.15rem;border-radius:6px;background:var(--soft)}.looks .button{padding:.25rem;gap:.25rem;white-space:nowrap;font-size:.75rem;background:none;color:var(--ink);justify-content:center;text-align:center}.looks [aria-pressed=true]{background:var(--card);color:var(--ink);box-shadow:0 0 0 1px var(--line)}
.me{position:relative}.me>summary,.more>summary{cursor:pointer;list-style:none}.me>summary::-webkit-details-marker,.more>summary::-webkit-details-marker{display:none}
.bottom{position:fixed;z-index:5;inset:auto 0 0;background:var(--card);border-top:1px solid var(--line);padding-bottom:env(safe-area-inset-bottom)}
.bottom>ul{list-style:none;margin:0;padding:0;display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr)}.bottom>ul>li{margin:0}
.bottom>ul>li>a,.more>summary{position:relative;display:grid;justify-items:center;align-content:center;gap:.2rem;min-height:3.5rem;font-size:.6875rem;font-weight:500;color:var(--dim);text-decoration:none;text-align:center}
.bottom .icon{width:1.25rem;height:1.25rem}.bottom>ul>li>a[aria-current],.more[open]>summary,.more.current>summary{color:var(--accent)}.bottom>ul>li>a .count{position:absolute;top:.2rem;left:52%}
.sheet{position:fixed;inset:auto 0 calc(3.5rem + 1px + env(safe-area-inset-bottom));background:var(--card);border-top:1px solid var(--line);border-radius:12px 12px 0 0;box-shadow:var(--shadow);padding:.75rem 1rem;max-height:75vh;overflow:auto;display:grid;gap:.5rem}
.sheet .icon{width:1rem;height:1rem}.sheet>a{display:flex;align-items:center;gap:.6rem;min-height:var(--control);padding:0 .5rem;color:var(--dim);text-decoration:none;font-weight:500}.sheet form:last-child .button{justify-content:flex-start;color:var(--dim);gap:.6rem}
.desk{padding-bottom:calc(3.5rem + env(safe-area-inset-bottom))}
dialog{border:1px solid var(--line);border-radius:var(--radius);background:var(--card);color:var(--ink);box-shadow:var(--shadow);padding:1rem;width:min(28rem,calc(100vw - 2rem))}dialog::backdrop{background:rgb(0 0 0 / .35)}
@media (min-width:56.25rem){
.desk{display:grid;grid-template-columns:14rem minmax(0,1fr);grid-template-rows:1fr auto;padding-bottom:0}
.desk>main{grid-column:2;grid-row:1;padding:1rem 1.5rem 3rem}.desk>footer{grid-column:2;grid-row:2}.desk>.bottom{display:none}
.side{grid-column:1;grid-row:1/-1;position:sticky;top:0;height:100vh;height:100dvh;flex-flow:column nowrap;align-items:stretch;gap:.5rem;padding:.75rem!important;border-bottom:0;border-right:1px solid var(--line)}
.side>nav,.side .me{display:block}.side .fold-side{display:inline-grid;position:absolute;top:.75rem;right:.5rem}:root:not([data-side=icons]) .side .brand .label{position:static;width:auto;height:auto;clip-path:none}.side .fold-side .button{color:var(--dim);padding:.25rem}
.side>nav{flex:1;overflow-y:auto;margin:0 -.25rem;padding:.25rem}
.side .brand{margin-right:2rem;padding-left:.35rem}
.place{flex:none}.place>summary{width:100%}.place>summary .icon{margin-left:auto}
.desk>.bell{position:relative;grid-column:2;grid-row:1;justify-self:end;align-self:start;top:0;right:0;margin:1rem 1.5rem}.has-bell>main>.head:first-child,.has-bell>main>.page>.head:first-child{padding-right:2.75rem}
.demo{order:0;flex:none}.demo .button{min-height:1.75rem}
.me>summary{display:flex;align-items:center;gap:.6rem;min-height:var(--control);padding:0 .5rem;border-radius:6px;font-weight:500}.me>summary:hover{background:var(--soft)}.me>summary .label{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;flex:1}
.me .menu{bottom:calc(100% + .25rem);left:0;width:14rem}
[data-side=icons] .desk{grid-template-columns:3.5rem minmax(0,1fr)}
[data-side=icons] .side{padding-inline:.5rem!important;overflow:visible}[data-side=icons] .side .label,[data-side=icons] .place>summary bdi,[data-side=icons] span.place,[data-side=icons] .demo{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[data-side=icons] .side .brand{margin:0;padding:0;justify-content:center}[data-side=icons] .side .fold-side{position:static}[data-side=icons] .fold-side{justify-items:center}[data-side=icons] .me>summary{justify-content:center}
[data-side=icons] .place>summary{justify-content:center}[data-side=icons] .place>summary .icon{margin:0}[data-side=icons] .entries a{justify-content:center;position:relative}[data-side=icons] .entries .count{position:absolute;top:-.1rem;left:52%}
}
`
