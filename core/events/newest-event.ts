import type { ReadRows } from '../contracts/context'
import type { EventEntry } from './EventEntry'

export type EventRows = ReadRows<typeof EventEntry>

/** Returns the last event of a log. */
export async function newestEvent(rows: EventRows) {
  const [row] = await rows.list({ sort: [{ field: 'seq', direction: 'desc' }], limit: 1 })
  return row
}
