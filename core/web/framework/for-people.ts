import { isRefusal, Refusal } from '../../contracts/errors'
import { TimedOutError } from '../../work/scope'

const again = { retryAfterSeconds: 5 }

/**
 * Returns an error as a page may say it. It blames no requests of the agency, because the person who opened the page sent none
 * of them.
 */
export function forPeople(error: unknown): unknown {
  if (error instanceof TimedOutError) return new Refusal('timed_out', error.wasReading ? slow : busy, again)
  return isCrowded(error) ? new Refusal('quota_exceeded', crowded, { ...error.details, hint: '' }) : error
}

/** Whether a queue refused the work because too much of its tenant waits. */
function isCrowded(error: unknown): error is Refusal {
  if (!isRefusal(error)) return false
  const policies = error.details.extra?.['violated-policies']
  return Array.isArray(policies) && String(policies[0]).startsWith('concurrent-')
}

const slow =
  'Reading the data of this page took too long. Choose a shorter period or fewer filters, or load the page again.'
const busy = 'Renown is busy at the moment, so this page did not load in time. Load it again.'
const crowded = 'Too many pages are loading at once. Wait a moment, then load this page again.'
