import type { RecordedEvent } from '../contracts/event-type'
import { where } from '../contracts/where'
import { recordedEvent } from './event-log'
import { type EventRows, newestEvent } from './newest-event'

/** The cursor of a log that had no event yet. Every other cursor is the id of an event. */
export const firstCursor = 'start'

/** A request for the events of one type after a cursor. */
export interface EventPoll {
  readonly type: string
  readonly locationId?: string | undefined
  /** Null to begin now, without earlier events. */
  readonly cursor: string | null
  /** Events before this instant are passed over. */
  readonly since?: string | undefined
  readonly limit: number
}

/** The events of one request, oldest first. */
export interface PolledEvents {
  readonly events: readonly RecordedEvent[]
  readonly cursor: string
  /** Whether events may be missing before the first of these. */
  readonly truncated: boolean
  readonly hasMore: boolean
}

/**
 * Reads the events of one type after a cursor. A reader that stores each cursor and passes it next time gets each event
 * once. If the event of its cursor is no longer in the log, it gets everything that is left, and the answer says so.
 */
export async function pollEvents(rows: EventRows, poll: EventPoll): Promise<PolledEvents> {
  const last = await newestEvent(rows)
  const head = last?.id ?? firstCursor
  if (poll.cursor === null) return { events: [], cursor: head, truncated: false, hasMore: false }
  const { seq, isLost } = await placeOf(rows, poll.cursor)
  // Events that are recorded during the read are left for the next one, so that no filter can pass over them.
  const wanted = [
    where.gt('seq', seq),
    where.lte('seq', last?.seq ?? 0),
    where.eq('type', poll.type),
    ...(poll.locationId === undefined ? [] : [where.eq('location_id', poll.locationId)]),
  ]
  const tooOld = poll.since === undefined ? null : where.lt('created_date', poll.since)
  const isCut =
    tooOld !== null && (await rows.list({ where: where.and(...wanted, tooOld), limit: 1 })).length > 0
  const recent = poll.since === undefined ? [] : [where.gte('created_date', poll.since)]
  const found = await rows.list({
    where: where.and(...wanted, ...recent),
    sort: [{ field: 'seq', direction: 'asc' }],
    limit: poll.limit + 1,
  })
  const page = found.slice(0, poll.limit)
  const hasMore = found.length > poll.limit
  return {
    events: page.map(recordedEvent),
    cursor: (hasMore ? page.at(-1)?.id : undefined) ?? head,
    truncated: isLost || isCut,
    hasMore,
  }
}

/** Returns the number that a cursor stands for, and whether events after it may have been removed. */
async function placeOf(rows: EventRows, cursor: string): Promise<{ seq: number; isLost: boolean }> {
  if (cursor !== firstCursor) {
    const row = await rows.get(cursor)
    return row ? { seq: row.seq, isLost: false } : { seq: 0, isLost: true }
  }
  const [oldest] = await rows.list({ sort: [{ field: 'seq', direction: 'asc' }], limit: 1 })
  return { seq: 0, isLost: (oldest?.seq ?? 1) > 1 }
}
