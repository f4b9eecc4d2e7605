import type { AgentApp } from 'renown/pages'
import { getAiTrafficSummary } from '../operations/getAiTrafficSummary'

/** Style rules of the crawler chart in a chat. */
const style = `
.proofs{display:block;width:100%;min-width:6rem;height:.5rem;border-radius:4px}.proofs .c1{fill:var(--c1)}.proofs .c4{fill:var(--c4)}.proofs .c3{fill:var(--c3)}
.swatch{display:inline-block;width:.5rem;height:.5rem;border-radius:2px;margin-right:.375rem}
td.drawn{width:40%;vertical-align:middle}
@media (max-width:30rem){td.drawn,th.drawn{display:none}th,td{padding-right:.5rem}thead th{white-space:normal;vertical-align:bottom}}
`

/** Shows the hits of AI crawlers inside a chat. */
export const crawlerChart: AgentApp = {
  name: 'crawler-chart',
  title: 'AI crawlers',
  summary: 'Hits of AI crawlers per day, by operator and by whether they were verified or spoofed',
  operation: getAiTrafficSummary.name,
  module: new URL('./view.tsx', import.meta.url),
  style,
  href: '/app/traffic',
}
