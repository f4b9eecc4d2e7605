import { defineEvent, field } from 'renown'
import * as v from 'valibot'

/** A jump of hits that pretend to be AI crawlers. */
export const crawlerSpoofed = defineEvent({
  name: 'crawler.spoofed',
  summary:
    'Far more hits than usual claimed to be AI crawlers from addresses that their operators do not use.',
  data: v.strictObject({
    site_id: field.code('The site'),
    began: field.day('First day of the jump'),
    spoofed_hits: field.integer('Such hits on the day that was reported', { min: 0 }),
  }),
  example: { site_id: 'ats_01JZ8M0000000000000000000A', began: '2026-06-01', spoofed_hits: 5120 },
})
