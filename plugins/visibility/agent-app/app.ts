import type { AgentApp } from 'renown/pages'
import { getVisibilitySummary } from '../operations/getVisibilitySummary'
import { style } from './style'

/** Shows how often AI assistants name the brands inside a chat, with intervals. */
export const visibilityIntervals: AgentApp = {
  name: 'visibility-intervals',
  title: 'Named by AI assistants',
  summary: 'How often AI assistants name the brands, by assistant and brand, with 95 % intervals and n',
  operation: getVisibilitySummary.name,
  module: new URL('./view.tsx', import.meta.url),
  style,
  href: '/app/visibility',
}
