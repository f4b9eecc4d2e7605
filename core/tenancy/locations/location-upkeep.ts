import * as v from 'valibot'
import { doubt } from '../../contracts/said'
import { field } from '../../kit'

const { instant, number, oneOf } = field

/** The trial of a client that an agency added beyond its paid capacity. */
export const trialFields = {
  trial_state: v.optional(
    oneOf(['trialing', 'converted', 'ended'], 'State of the trial. Absent if the location never had a trial'),
  ),
  trial_started_at: v.optional(instant('When the trial started. A location has only one trial')),
  trial_end: v.optional(instant('When the trial ends')),
  trial_converted_at: v.optional(instant('When the trial converted')),
  trial_ended_at: v.optional(
    instant('When the trial ended without converting. Absent on old rows: use trial_end'),
  ),
  trial_charge_amount: v.optional(
    number('Price when the trial started, for display. The current price applies when the trial converts', {
      min: 0,
    }),
  ),
  trial_charge_interval: v.optional(oneOf(['month', 'year'], 'Interval of trial_charge_amount')),
}

/** When its reviews were last synced, how completely, and whether what was read contradicts itself. */
export const syncFields = {
  in_doubt: v.optional(doubt),
  last_synced_at: v.optional(instant('When the location was last synced')),
  last_full_review_sync_at: v.optional(
    instant(
      'When a sync last read all reviews. Renown reads all reviews once a day, because only that finds replies that were written on the platform',
    ),
  ),
  review_count_recheck_after: v.optional(
    instant(
      'Before this time, Renown does not read all reviews again because of a different count. Set when a full sync did not explain the difference. Cleared by any successful or manual sync',
    ),
  ),
}
