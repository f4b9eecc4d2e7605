/** Design tokens: every colour, size and shape of the pages. The dark ones replace the light ones by name. */
export const tokens = {
  light: {
    ink: '#18212c',
    dim: '#5a6675',
    line: '#d9e0e7',
    edge: '#8492a3',
    paper: '#f4f6f8',
    card: '#ffffff',
    soft: '#eef2f5',
    accent: '#0b6b63',
    'accent-strong': '#08544e',
    'accent-soft': '#e3f3f1',
    'on-accent': '#ffffff',
    good: '#17663a',
    'good-soft': '#e6f4ea',
    warn: '#7d4b00',
    'warn-soft': '#fdf3dc',
    bad: '#b3261e',
    'bad-strong': '#8f1d17',
    'bad-soft': '#fceceb',
    'on-bad': '#ffffff',
    shadow: '0 1px 2px rgb(20 35 50 / .06), 0 8px 24px rgb(20 35 50 / .06)',
  },
  dark: {
    ink: '#e7ecf1',
    dim: '#9ba8b6',
    line: '#2b343e',
    edge: '#6f7d8c',
    paper: '#0f1317',
    card: '#171c22',
    soft: '#202730',
    accent: '#55c9bb',
    'accent-strong': '#7fdccf',
    'accent-soft': '#12302d',
    'on-accent': '#06211e',
    good: '#7ad19a',
    'good-soft': '#13291c',
    warn: '#eab85c',
    'warn-soft': '#2d230d',
    bad: '#ff8a80',
    'bad-strong': '#ffaaa2',
    'bad-soft': '#331716',
    'on-bad': '#330605',
    shadow: '0 1px 2px rgb(0 0 0 / .4)',
  },
} as const

const declared = (set: Readonly<Record<string, string>>) =>
  Object.entries(set)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/** One sheet for every page: phone first, a wider measure from 48 rem on. */
export const style = `
:root{color-scheme:light dark;${declared(tokens.light)};--radius:10px;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (prefers-color-scheme:dark){:root{${declared(tokens.dark)}}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;min-height:100vh;min-height:100dvh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
h1,h2,h3{line-height:1.25;letter-spacing:-.012em;margin:0;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.125rem}h3{font-size:1rem}
p{margin:0;text-wrap:pretty}
a{color:var(--accent);text-underline-offset:.18em;text-decoration-thickness:1px}a:hover{color:var(--accent-strong)}
ul,ol{margin:0;padding-left:1.25rem}li+li{margin-top:.3rem}
code,pre,kbd{font-family:var(--mono);font-size:.875em}
code{background:var(--soft);border-radius:5px;padding:.12em .36em;overflow-wrap:anywhere}
pre{margin:0;background:var(--soft);border:1px solid var(--line);border-radius:var(--radius);padding:.8rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere}
pre code{background:none;padding:0}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:6px}
.skip{position:absolute;left:-99rem;top:.5rem;background:var(--card);padding:.6rem 1rem;border-radius:var(--radius);z-index:1}.skip:focus{left:.5rem}
.bar{background:var(--card);border-bottom:1px solid var(--line)}
.bar>div{max-width:64rem;margin:0 auto;padding:.6rem 1.1rem;display:flex;flex-wrap:wrap;align-items:center;gap:.35rem 1.1rem}
.brand{display:inline-flex;align-items:center;gap:.55rem;font-weight:650;letter-spacing:-.01em;color:var(--ink);text-decoration:none;min-height:2.75rem;overflow-wrap:anywhere}
.brand svg{flex:none;color:var(--accent)}
.place{color:var(--dim);overflow-wrap:anywhere;min-width:0;position:relative}span.place{padding:.3rem 0}
.place summary{cursor:pointer;min-height:2.75rem;display:flex;align-items:center;gap:.4rem;padding:0 .6rem;border:1px solid var(--line);border-radius:8px;color:var(--ink);font-weight:550;list-style:none}
.place summary::-webkit-details-marker{display:none}.place summary::after{content:"▾";color:var(--dim)}.place summary:hover{background:var(--soft)}
.place form{position:absolute;z-index:2;top:calc(100% + .25rem);left:0;min-width:15rem;max-width:min(22rem,calc(100vw - 2.2rem));max-height:70vh;overflow:auto;gap:.1rem;padding:.35rem;background:var(--card);border:1px solid var(--line);border-radius:var(--radius);box-shadow:var(--shadow)}
.place .button,.choices .button{justify-content:flex-start;text-align:left;color:var(--ink);overflow-wrap:anywhere}.place a{padding:.6rem}
.choices{list-style:none;padding:0}
.banner{background:var(--warn-soft);color:var(--ink);border-bottom:1px solid var(--warn);display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:.5rem 1rem;padding:.5rem 1.1rem}
.tasks{list-style:none;padding:0;display:grid;gap:.9rem}.tasks li{margin:0}.tasks a{font-weight:600}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,16rem),1fr));gap:1.25rem}.figures:empty{display:none}.figures .card{align-content:start}.large{font-size:2rem;font-weight:650;line-height:1.1;font-variant-numeric:tabular-nums}
.steps{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.4rem 1.25rem;counter-reset:step;color:var(--dim);font-size:.875rem}.steps li{margin:0;counter-increment:step;display:flex;gap:.45rem;align-items:center}
.steps li::before{content:counter(step);display:grid;place-items:center;width:1.5rem;height:1.5rem;border-radius:50%;border:1px solid var(--edge);font-weight:600;font-size:.8125rem}
.steps [aria-current]{color:var(--ink);font-weight:600}.steps [aria-current]::before{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
.page{display:grid;grid-template-columns:minmax(0,1fr);align-content:start;gap:1.25rem;min-width:0}
.place{order:1;flex:1 1 100%}.bar nav{order:2;flex:1 1 100%;min-width:0}.bar>div>form{margin-left:auto}
.bar>.within{padding-block:0;border-top:1px solid var(--line)}
.bar nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.1rem .25rem}.bar nav li{margin:0}
.bar nav a{display:flex;align-items:center;min-height:2.5rem;padding:0 .5rem;font-size:.9375rem;border-radius:8px;color:var(--dim);text-decoration:none;font-weight:550}
.bar nav a:hover{color:var(--ink);background:var(--soft)}
.bar nav a[aria-current]{color:var(--ink);box-shadow:inset 0 -2px 0 var(--accent);border-radius:8px 8px 0 0}
main{flex:1;width:100%;margin:0 auto;padding:1.5rem 1.1rem 4rem;display:grid;grid-template-columns:minmax(0,1fr);align-content:start;gap:1.25rem}
main,.bar,.banner{overflow-wrap:anywhere}table{overflow-wrap:break-word}
main.narrow{max-width:29rem;padding-top:clamp(1.5rem,9vh,6rem)}
main.wide{max-width:64rem}.bar+main.narrow{max-width:34rem;padding-top:1.75rem}
.lone{display:flex;justify-content:center}
footer{color:var(--dim);font-size:.8125rem;text-align:center;padding:0 1.1rem 1.5rem}
.head{display:grid;gap:.35rem}.head p{color:var(--dim);max-width:44rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;box-shadow:var(--shadow);padding:1.25rem 1.1rem;display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
.card>header{display:grid;grid-template-columns:minmax(0,1fr);gap:.25rem}.card>header p{color:var(--dim);font-size:.9375rem}
.stack{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem}
.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}
.row.end{justify-content:flex-end}.row.apart{justify-content:space-between}
form{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;margin:0}form.inline{display:inline-grid;justify-self:start}main.wide form{max-width:34rem}
.field{display:grid;gap:.35rem}
.field label,.legend{font-weight:600}.field .optional{color:var(--dim);font-weight:400}
.hint{color:var(--dim);font-size:.875rem}
.fault{color:var(--bad);font-size:.875rem;font-weight:550;display:flex;gap:.4rem}
.fault::before{content:"!";flex:none;width:1.15rem;height:1.15rem;margin-top:.1rem;border-radius:50%;background:var(--bad);color:var(--on-bad);font-size:.75rem;font-weight:700;display:grid;place-items:center}
input,select,textarea{font:inherit;color:inherit;background:var(--card);border:1px solid var(--edge);border-radius:var(--radius);padding:.6rem .75rem;min-height:2.75rem;width:100%}
input:focus-visible,select:focus-visible,textarea:focus-visible{outline-offset:0;border-color:var(--accent);border-radius:var(--radius)}
input[aria-invalid],textarea[aria-invalid],select[aria-invalid]{border-color:var(--bad);box-shadow:inset 0 0 0 1px var(--bad)}
input[readonly]{background:var(--soft);border-color:var(--line)}
input.code{font-family:var(--mono);font-size:1.25rem;letter-spacing:.18em}
.check{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.1rem .7rem;align-items:start}
.check input{width:1.35rem;height:1.35rem;min-height:0;margin:.12rem 0 0;accent-color:var(--accent)}
.check label{font-weight:550;padding:.05rem 0;overflow-wrap:anywhere}.check .hint,.check .fault{grid-column:2}
fieldset{border:0;margin:0;padding:0;display:grid;gap:.75rem;min-width:0}legend{padding:0;margin-bottom:.25rem;font-weight:600}
.button{font:inherit;overflow-wrap:anywhere;font-weight:600;line-height:1.2;display:inline-flex;align-items:center;justify-content:center;gap:.5rem;min-height:2.75rem;padding:.55rem 1.15rem;border-radius:var(--radius);border:1px solid transparent;cursor:pointer;text-decoration:none;text-align:center;width:auto;transition:background-color .12s,border-color .12s,color .12s}
.button.primary{background:var(--accent);color:var(--on-accent)}.button.primary:hover{background:var(--accent-strong);color:var(--on-accent)}
.button.plain{background:var(--card);border-color:var(--edge);color:var(--ink)}.button.plain:hover{background:var(--soft)}
.button.danger{background:var(--bad);color:var(--on-bad)}.button.danger:hover{background:var(--bad-strong);color:var(--on-bad)}
.button.quiet{background:none;color:var(--accent);padding-inline:.6rem}.button.quiet:hover{background:var(--soft);color:var(--accent-strong)}
.button.whole{width:100%}
.notice{border:1px solid var(--line);border-left:4px solid var(--edge);background:var(--card);border-radius:var(--radius);padding:.8rem 1rem;display:grid;grid-template-columns:minmax(0,1fr);gap:.3rem}
.notice.lost{position:sticky;top:.5rem;z-index:3}.notice h2,.notice h3{font-size:1rem}
.notice.good{border-color:var(--good);background:var(--good-soft)}.notice.good h2{color:var(--good)}
.notice.warn{border-color:var(--warn);background:var(--warn-soft)}.notice.warn h2{color:var(--warn)}
.notice.bad{border-color:var(--bad);background:var(--bad-soft)}.notice.bad h2{color:var(--bad)}.notice.bad a{color:var(--bad)}
.notice.good,.notice.warn,.notice.bad{border-width:1px 1px 1px 4px}
.badge{display:inline-flex;align-items:center;gap:.35rem;font-size:.8125rem;font-weight:600;line-height:1.3;border-radius:99px;padding:.15rem .65rem;background:var(--soft);color:var(--dim);white-space:nowrap}
.badge.good{background:var(--good-soft);color:var(--good)}.badge.warn{background:var(--warn-soft);color:var(--warn)}.badge.bad{background:var(--bad-soft);color:var(--bad)}
.copy{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.5rem}.copy.alone{grid-template-columns:minmax(0,1fr)}
.copy input{font-family:var(--mono);font-size:.875rem}
.copy [hidden]{display:none}
.scroll{position:relative;overflow-x:auto;margin:0 -1.1rem;padding:0 1.1rem}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
th,td{text-align:left;padding:.7rem .9rem .7rem 0;border-top:1px solid var(--line);vertical-align:top;min-width:7rem}
thead th{border-top:0;padding-top:0;color:var(--dim);font-size:.8125rem;font-weight:600}
tbody th{font-weight:600;overflow-wrap:anywhere;min-width:9.5rem}td code{white-space:nowrap}td time{white-space:nowrap}td:last-child,th:last-child{padding-right:0}td.end{text-align:right}
dl.facts{margin:0;display:grid;gap:.1rem}dl.facts dt{color:var(--dim);font-size:.875rem}dl.facts dd{margin:0 0 .6rem;overflow-wrap:anywhere}
.views ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.1rem .25rem;border-bottom:1px solid var(--line)}.views li{margin:0}
.views a{display:flex;align-items:center;min-height:2.75rem;padding:0 .9rem;color:var(--dim);text-decoration:none;font-weight:550}.views a:hover{color:var(--ink)}.views a[aria-current]{color:var(--ink);box-shadow:inset 0 -2px 0 var(--accent)}
.fold>summary{cursor:pointer;overflow-wrap:anywhere;min-height:2.75rem;display:list-item;align-content:center}.fold[open]>summary{margin-bottom:.75rem}
ul.plain{list-style:none;padding:0}ul.plain ul.plain{padding-left:1rem}.lines{white-space:pre-line;overflow-wrap:anywhere}textarea{resize:vertical}.capped{display:inline-block;max-width:18rem}
.empty{color:var(--dim);text-align:center;padding:1.5rem .5rem;display:grid;gap:.35rem;justify-items:center}.empty strong{color:var(--ink)}
.codes{list-style:none;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.4rem}.codes li{margin:0}
.codes code{display:block;text-align:center;padding:.5rem;font-size:1rem;letter-spacing:.04em}
.qr{background:#fff;border-radius:var(--radius);border:1px solid var(--line);padding:.75rem;width:13.5rem;max-width:100%;justify-self:center}.qr svg{display:block;width:100%;height:auto}
.swatches{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.75rem}
.swatch{border:1px solid var(--line);border-radius:var(--radius);overflow:hidden;font-size:.8125rem}.swatch span{display:block;height:3rem}.swatch code{display:block;border-radius:0}
${Object.keys(tokens.light)
  .filter((name) => name !== 'shadow')
  .map((name) => `.swatch .of-${name}{background:var(--${name})}`)
  .join('')}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (min-width:48rem){
h1{font-size:1.75rem}.card{padding:1.6rem 1.75rem}.scroll{margin:0 -1.75rem;padding:0 1.75rem}main{padding-top:2.25rem}
.bar nav{order:0;flex:1 1 auto}.bar nav a{min-height:2.75rem;padding:0 .7rem;font-size:1rem}.place{order:0;flex:0 1 auto}dl.facts{grid-template-columns:minmax(9rem,auto) minmax(0,1fr);gap:.1rem 1.5rem}.bar>div{padding-block:.35rem}
.halves{grid-template-columns:repeat(2,minmax(0,1fr));align-items:start}
}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important;scroll-behavior:auto!important}}
@media (forced-colors:active){.button{border-color:ButtonText}.badge{border:1px solid}}
`
