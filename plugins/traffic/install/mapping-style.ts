/** Styles of the page of a mapping. */
export const mappingStyle = `
.map-fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));gap:.75rem 1rem}
.map-lines{list-style:none;padding:0;display:grid;grid-template-columns:minmax(0,1fr);gap:.6rem}
.map-lines li{margin:0;display:grid;grid-template-columns:1.5rem 7rem minmax(0,1fr);gap:.15rem .6rem;align-items:baseline}
.map-lines .hint,.map-lines .what{grid-column:3;overflow-wrap:anywhere}.map-lines .what{grid-row:1}
@media(max-width:560px){.map-lines li{grid-template-columns:1.5rem minmax(0,1fr)}.map-lines .hint,.map-lines .what{grid-column:2;grid-row:auto}}
textarea[name=lines]{font-family:ui-monospace,monospace;font-size:.8125rem;white-space:pre;overflow-x:auto}
`
