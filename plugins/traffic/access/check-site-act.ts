import { defineAct } from 'renown'
import { onSite } from '../sites/on-site'
import { checkOnRequest } from './check-on-request'

/** Checks now what a site lets crawlers read. */
export const checkSiteAct = defineAct({
  name: 'site check',
  summary: 'Check now what a website lets crawlers read',
  on: onSite,
  label: 'Check now',
  done: {
    checked: 'The site was checked.',
    slow: 'The site answers slowly. The check goes on. Reload this page in a minute to see its result.',
  },
  refusesDemo: true,
  isPageOnly: true,
  run: async (ctx, { row }) => ({ answer: { site_id: row.id }, said: await checkOnRequest(ctx, row) }),
})
