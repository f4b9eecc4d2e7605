import { definePlugin } from 'renown'
import { AiTrafficDaily } from './AiTrafficDaily'
import { AiTrafficSite } from './AiTrafficSite'

/** AI crawlers and AI referrals of websites, counted by the ingest and rolled up by the day. */
export default definePlugin({
  name: 'traffic',
  summary: 'AI crawler hits and visits from AI assistants, per site and day',
  renown: '^1.0.0',
  needs: ['tenancy'],
  entities: [AiTrafficSite, AiTrafficDaily],
})
