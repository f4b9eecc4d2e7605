import * as v from 'valibot'
import { dayMs } from '../../contracts/time'
import { firstCursor } from '../../events/poll-events'

const maxAgeMsMax = 366 * dayMs
const cursorPattern = /^evt_[0-9A-HJKMNP-TV-Z]{26}$/

/** What selects events: in requests for events and for subscriptions. */
export const selection = {
  name: v.pipe(v.string(), v.maxLength(200)),
  arguments: v.nullish(
    v.strictObject({
      workspace_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(64))),
      location_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
    }),
    {},
  ),
}

/** The selection, and where to begin. */
export const eventParams = {
  ...selection,
  cursor: v.nullish(
    v.pipe(
      v.string(),
      v.maxLength(64),
      v.check(
        (text) => text === firstCursor || cursorPattern.test(text),
        'must be the cursor of an earlier answer, or null to begin now',
      ),
    ),
    null,
  ),
  maxAgeMs: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxAgeMsMax))),
}
