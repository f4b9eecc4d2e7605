import type { Envelope } from './enclosed'

const noEntry = { rejected: 'The entry has no line' }

/** What clients of Loki push: streams with values of `[nanoseconds, line]`. */
export const loki: Envelope = {
  path: ['streams', 'values'],
  open: (entry) =>
    Array.isArray(entry) && typeof entry[1] === 'string' ? { time: entry[0], content: entry[1] } : noEntry,
}
