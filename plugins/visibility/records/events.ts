import { defineEvent, field } from 'renown'
import * as v from 'valibot'

const rate = (description: string) => field.number(description, { min: 0, max: 1 })

/** A change of the mention rate of a tracker. */
export const visibilityChanged = defineEvent({
  name: 'visibility.changed',
  summary:
    'AI assistants name the brand more or less often than before, by more than chance. The chance of a false alarm is bounded.',
  data: v.strictObject({
    tracker_id: field.code('The tracker'),
    verdict: field.oneOf(['up', 'down'], 'The direction'),
    before: rate('Mention rate before'),
    now: rate('Mention rate now'),
    baseline_from: field.day('First day of the earlier period'),
    baseline_until: field.day('Last day of the earlier period'),
    until: field.day('Last day of the new period'),
  }),
  example: {
    tracker_id: 'vtr_01JZ8M0000000000000000000A',
    verdict: 'down' as const,
    before: 0.42,
    now: 0.2,
    baseline_from: '2026-06-01',
    baseline_until: '2026-06-28',
    until: '2026-07-12',
  },
})
