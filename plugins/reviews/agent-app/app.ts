import type { AgentApp } from 'renown/pages'
import { listReviewsNeedingResponse } from '../operations/listReviewsNeedingResponse'
import { style } from './style'

/** Shows the reviews that wait for a reply inside a chat. */
export const reviewInbox: AgentApp = {
  name: 'review-inbox',
  title: 'Reviews waiting for a reply',
  summary: 'Reviews that wait for a reply, the most urgent first, each with its draft if there is one',
  operation: listReviewsNeedingResponse.name,
  module: new URL('./view.tsx', import.meta.url),
  style,
  href: '/app/reviews',
}
