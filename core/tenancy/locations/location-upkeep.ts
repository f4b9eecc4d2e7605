import * as v from 'valibot'
import { field } from '../../kit'

const { instant, number, oneOf } = field

/** The trial of a client that an agency added beyond its paid capacity. */
export const trialFields = {
  trial_state: v.optional(
    oneOf(
      ['trialing', 'converted', 'ended'],
      'Trial marker of this location. Absent if it never had a trial',
    ),
  ),
  trial_started_at: v.optional(
    instant('Set once when a trial first starts; a location that has ever trialed cannot trial again'),
  ),
  trial_end: v.optional(instant('The location converts at or after this instant')),
  trial_converted_at: v.optional(instant('When the trial converted')),
  trial_ended_at: v.optional(
    instant('When the trial ended without converting. Absent on old rows: use trial_end'),
  ),
  trial_charge_amount: v.optional(
    number('Add-on rate when the trial started, for display; conversion recomputes the charge', { min: 0 }),
  ),
  trial_charge_interval: v.optional(oneOf(['month', 'year'], 'Interval of trial_charge_amount')),
}

/** When its reviews were last synced, and how completely. */
export const syncFields = {
  last_synced_at: v.optional(instant('When the location was last synced')),
  last_full_review_sync_at: v.optional(
    instant(
      'When the listing of reviews was last paged to its end. Drives the daily full sweep, the only thing that catches a reply typed on the platform itself',
    ),
  ),
  review_count_recheck_after: v.optional(
    instant(
      "Set when paging everything again did not explain the difference between the platform's count and the stored rows; no further full pass before it. Cleared by any successful pass or manual sync",
    ),
  ),
}
