import type { AgentApp } from 'renown'
import { getAiTrafficSummary } from '../operations/getAiTrafficSummary'
import { style } from './style'

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
