import { chartStyle } from '../../kit/charts/style'
import { inSchemes, tokens } from '../../kit/style/tokens'

/** The variables of a chat that replace ours, so that an app looks like the chat around it. */
const ofHost = {
  ink: 'color-text-primary',
  dim: 'color-text-secondary',
  line: 'color-border-primary',
  paper: 'color-background-primary',
  card: 'color-background-primary',
  soft: 'color-background-secondary',
} as const

const declared = (set: Readonly<Record<string, string>>) =>
  Object.entries(set)
    .map(([name, value]) => {
      const host = (ofHost as Readonly<Record<string, string>>)[name]
      return `--${name}:${host === undefined ? value : `var(--${host},${value})`}`
    })
    .join(';')

/** Style rules of every app. */
export const appStyle = `
${inSchemes(`color-scheme:light;${declared({ ...tokens.light, paper: '#ffffff' })}`, `color-scheme:dark;${declared({ ...tokens.dark, paper: '#16191d' })}`)}
:root{--radius:8px;--control:2rem;--gap:1rem;--sans:var(--font-sans,Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif)}
@media (pointer:coarse){:root{--control:2.75rem}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:.875rem/1.5 var(--sans);padding:var(--inset-top,0) var(--inset-right,0) var(--inset-bottom,0) var(--inset-left,0)}
h1,h2,h3{margin:0;font-weight:600;line-height:1.3;letter-spacing:-.006em;overflow-wrap:anywhere;text-wrap:balance}h1{font-size:1rem}h2{font-size:.875rem}h3{font-size:.8125rem}
p,dl,dd,ul,ol,figure,blockquote{margin:0}ul,ol{padding:0;list-style:none}p{text-wrap:pretty}b,strong{font-weight:600}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.app{position:relative;max-width:60rem;margin:0 auto;padding:1rem;display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;font-variant-numeric:tabular-nums}
.app[aria-busy]>:not(.app-head){opacity:.55;transition:opacity .12s}
.app-head{display:flex;align-items:center;justify-content:space-between;gap:.5rem 1rem;min-height:1.5rem}
button{font:inherit;color:inherit;background:none;border:1px solid var(--line);border-radius:6px;min-height:var(--control);padding:0 .75rem;cursor:pointer}button:hover:not(:disabled){background:var(--soft)}button:disabled{opacity:.45;cursor:default}
button.quiet{border-color:transparent;color:var(--accent);padding:0 .25rem;white-space:nowrap}button.quiet:hover:not(:disabled){background:none;color:var(--accent-strong)}
.pick{display:inline-flex;flex-wrap:wrap;gap:.25rem;border:0;padding:0;margin:0}.pick button{border-color:transparent;color:var(--dim);font-weight:500;font-size:.8125rem;padding:0 .625rem}.pick button[aria-pressed=true]{background:var(--accent-soft);color:var(--ink)}
.app-row{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem}
.app-figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,7.5rem),1fr));gap:.75rem 1.5rem}.app-figures dt{color:var(--dim);font-size:.8125rem}.app-figures dd{font-size:1.5rem;font-weight:600;line-height:1.25;letter-spacing:-.01em}.app-figures dd small{display:block;font-size:.75rem;font-weight:400;color:var(--dim);letter-spacing:0;line-height:1.4}
.app-note,.app-empty{color:var(--dim);font-size:.8125rem}.app-empty{text-align:center;padding:1.5rem .5rem}
.app-fault{border:1px solid var(--bad);background:var(--bad-soft);color:var(--bad);border-radius:var(--radius);padding:.5rem .75rem;overflow-wrap:anywhere}
.app-wait{display:grid;gap:.75rem;padding:.25rem 0}.app-wait span:not(.unseen){height:2.75rem;border-radius:6px;background:var(--soft)}.app-wait span:nth-child(3){width:82%}.app-wait span:nth-child(4){width:64%}
details>summary{cursor:pointer;color:var(--accent);font-size:.8125rem;min-height:var(--control);display:inline-flex;align-items:center}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.8125rem}th,td{text-align:left;padding:.4rem .75rem .4rem 0;border-top:1px solid var(--line);vertical-align:top;font-weight:400;white-space:nowrap}tbody th{font-weight:500;white-space:normal;overflow-wrap:anywhere;min-width:6rem}thead th{border-top:0;color:var(--dim);font-size:.75rem;font-weight:500}td:last-child,th:last-child{padding-right:0}td.end,th.end{text-align:right}
.hint{color:var(--dim)}.change{font-size:.8125rem;color:var(--dim)}
${chartStyle}
.key{font-size:.8125rem}.key li+li{margin:0}.tip:empty{min-height:0}
@media (prefers-reduced-motion:reduce){*{transition:none!important;animation:none!important}}
@media (forced-colors:active){.c1,.c2,.c3,.c4{forced-color-adjust:none}}
`
