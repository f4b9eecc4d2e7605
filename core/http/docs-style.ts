/** Rules of the reference: one column on a phone, with a table of contents next to it on wide screens. */
const referenceRules = `
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{font-size:.875em;background:var(--soft);border-radius:4px;padding:.1em .35em;overflow-wrap:anywhere}
pre{font-size:.8125rem;line-height:1.55;background:var(--soft);border:1px solid var(--line);border-radius:8px;padding:.9rem 1rem;overflow-x:auto;margin:1rem 0}
pre code{background:none;padding:0;font-size:inherit;overflow-wrap:normal}
.reference{max-width:78rem;margin:0 auto;padding:0 1.25rem 5rem}
header{padding:2.25rem 0 1.5rem;border-bottom:1px solid var(--line)}
h1{font-size:2rem;line-height:1.2;margin:0;letter-spacing:-.02em}
header p{margin:.5rem 0 0;color:var(--dim);max-width:44rem}
header .facts{font-size:.875rem}
h2{font-size:1.375rem;line-height:1.3;letter-spacing:-.01em;margin:3.25rem 0 .75rem;padding-top:.25rem}
h3{font-size:1.0625rem;margin:2rem 0 .4rem}
h3 code{font-size:1em;background:none;padding:0}
.prose p,.prose ul{max-width:46rem}
.prose ul{padding-left:1.2rem}
nav{font-size:.9rem;padding-top:1.25rem}
nav details{border:1px solid var(--line);border-radius:8px;padding:.6rem .9rem}
nav summary{cursor:pointer;font-weight:600}
nav .wide{display:none}
nav ul{list-style:none;margin:.4rem 0;padding:0}
nav li{overflow-wrap:anywhere}
nav li a{display:block;padding:.28rem 0;color:var(--ink)}
nav li a:hover{color:var(--link)}
nav b{display:block;margin-top:1rem;font-size:.75rem;letter-spacing:.06em;text-transform:uppercase;color:var(--dim)}
details.item{border:1px solid var(--line);border-radius:10px;margin:.75rem 0;background:var(--paper)}
details.item>summary{cursor:pointer;list-style:none;padding:.8rem 1rem;display:flex;flex-wrap:wrap;gap:.2rem .7rem;align-items:baseline}
details.item>summary::-webkit-details-marker{display:none}
details.item>summary::before{content:"+";color:var(--dim);font-family:ui-monospace,monospace;width:1ch}
details.item[open]>summary::before{content:"\\2212"}
details.item[open]>summary{border-bottom:1px solid var(--line)}
details.item>summary strong{font-size:1.02rem}
details.item>summary span{color:var(--dim);font-size:.9rem;flex-basis:100%;padding-left:1.7ch}
details.item>div{padding:.4rem 1rem 1rem;scroll-margin-top:2.5rem}
details.item:has(:target){border-color:var(--link)}
details.inner>summary{cursor:pointer;color:var(--dim);font-size:.85rem}
details.inner>dl{border-left:2px solid var(--line);padding-left:.9rem;margin:.4rem 0 .2rem}
.tag{font-style:normal;font-size:.72rem;font-weight:600;letter-spacing:.02em;color:var(--mark);border:1px solid currentColor;border-radius:99px;padding:.05rem .5rem;white-space:nowrap}
.tag.write{color:var(--warn)}
dl{margin:.5rem 0 0}
dl>div{padding:.6rem 0;border-top:1px solid var(--line)}
dl>div:first-child{border-top:0}
dt{display:flex;flex-wrap:wrap;gap:.15rem .6rem;align-items:baseline}
dt code{font-weight:600;background:none;padding:0;font-size:.9rem}
dt span{color:var(--dim);font-size:.8125rem;overflow-wrap:anywhere}
dd{margin:.1rem 0 0;font-size:.92rem;max-width:46rem}
dd:empty{display:none}
dd.values{color:var(--dim);font-size:.85rem;line-height:1.9}
dl>div:target{scroll-margin-top:1rem;background:var(--soft);border-radius:6px;padding-left:.6rem;padding-right:.6rem}
.muted{color:var(--dim);font-size:.875rem}
@media (max-width:34rem){pre code{white-space:pre-wrap;overflow-wrap:anywhere}}
@media (min-width:60rem){
.cols{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:3.5rem;align-items:start}
nav{position:sticky;top:0;max-height:100vh;overflow-y:auto;padding:1.75rem 0 2rem}
nav .narrow{display:none}nav .wide{display:block}
details.item>summary span{flex-basis:auto;flex:1;padding-left:0}
}
`

/** The style of the reference page on its own, for programs and for readers without a session. */
export const docsStyle = `
:root{color-scheme:light dark;--ink:#1c2430;--dim:#5b6675;--line:#dfe4ea;--paper:#fff;--soft:#f5f7f9;--link:#0b5cad;--mark:#0f766e;--warn:#9a5b00}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaf0;--dim:#98a4b3;--line:#2b333d;--paper:#12161b;--soft:#1a2027;--link:#7db7f0;--mark:#5cc9bb;--warn:#e2a94f}}
*{box-sizing:border-box}
html{scroll-padding-top:5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
${referenceRules}`

/** The same inside the frame of the pages, with their colours. */
export const framedDocsStyle = `.docs{--link:var(--accent);--mark:var(--good);${referenceRules}.reference{padding:0;max-width:none}header{padding-top:0}nav{padding-top:0}header p a,dd a,.prose p a{text-decoration:underline}}`
