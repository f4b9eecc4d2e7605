import * as v from 'valibot'
import type { Row } from '../contracts/entity'
import type { AnyEventType, NewEvent, RecordedEvent } from '../contracts/event-type'
import { where } from '../contracts/where'
import type { Clock } from '../process/clock'
import { newId } from '../process/ids'
import { ConflictError, type Documents } from '../stores/documents/port'
import { newDocument } from '../stores/documents/row-writes'
import { EventEntry } from './EventEntry'

type EventRow = Row<typeof EventEntry>

export interface EventLog {
  /** Records an event. Returns null if an event with its key is already recorded. */
  append(type: AnyEventType, event: NewEvent): Promise<RecordedEvent | null>
}

const keyMax = 200
/** Attempts to get the next number while other processes append to the same log. */
const attemptsMax = 1_000

/** One line of appends per store and workspace, so that appends of one process do not compete for a number. */
const lines = new WeakMap<Documents, Map<string, Promise<unknown>>>()

/**
 * Creates the log of events. An event gets the number after the last one, and a unique index refuses a second event
 * with that number. So an event is visible only when every earlier one is, and a reader that continues after the last
 * event that it saw misses none. The log of a workspace has no gaps, except where old events were deleted.
 */
export function createEventLog({ documents, clock }: { documents: Documents; clock: Clock }): EventLog {
  const line = lines.get(documents) ?? new Map<string, Promise<unknown>>()
  lines.set(documents, line)
  const rows = documents.collection(EventEntry)
  const inLine = <T>(workspaceId: string, work: () => Promise<T>): Promise<T> => {
    const run = (line.get(workspaceId) ?? Promise.resolve()).then(work, work)
    const end: Promise<unknown> = run
      .catch(() => {})
      .then(() => {
        if (line.get(workspaceId) === end) line.delete(workspaceId)
      })
    line.set(workspaceId, end)
    return run
  }
  const lastSeq = async (workspaceId: string): Promise<number> => {
    const own = where.eq('workspace_id', workspaceId)
    const [last] = await rows.find({ where: own, sort: [{ field: 'seq', direction: 'desc' }], limit: 1 })
    return last?.seq ?? 0
  }
  const isRecorded = async (workspaceId: string, key: string): Promise<boolean> => {
    const same = where.and(where.eq('workspace_id', workspaceId), where.eq('key', key))
    return (await rows.count(same, 1)) > 0
  }
  const write = async (fields: Omit<EventRow, 'id' | 'seq' | 'created_date' | 'updated_date'>) => {
    const { workspace_id, key } = fields
    if (await isRecorded(workspace_id, key)) return null
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const seq = (await lastSeq(workspace_id)) + 1
      const row = newDocument(EventEntry, { ...fields, seq }, workspace_id, clock.now())
      try {
        await rows.insert(row)
        return row
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        if (await isRecorded(workspace_id, key)) return null
      }
    }
    throw new Error(`The log of events of ${workspace_id} is too busy`)
  }
  return {
    async append(type, event) {
      const fields = eventFields(type, event, () => newId(EventEntry.idPrefix, clock.now()))
      const row = await inLine(event.workspace_id, () => write(fields))
      return row && recordedEvent(row)
    },
  }
}

/** Returns an event as it is stored, without its position. Throws if its data is not what its type declares. */
export function eventFields(
  type: AnyEventType,
  { workspace_id, key, data, ...about }: NewEvent,
  newKey: () => string,
) {
  if (key !== undefined && key.length > keyMax)
    throw new Error(`The key of a ${type.name} event is too long: ${key.length} characters`)
  const checked = v.parse(type.data as v.GenericSchema, data) as Record<string, unknown>
  return { ...about, workspace_id, type: type.name, key: `${type.name} ${key ?? newKey()}`, data: checked }
}

/** Returns an event as readers see it. */
export function recordedEvent(row: EventRow): RecordedEvent {
  const { id, workspace_id, type, seq, created_date, location_id, entity, entity_id, data } = row
  return {
    id,
    workspace_id,
    type,
    seq,
    occurred_at: created_date,
    ...(location_id === undefined ? {} : { location_id }),
    ...(entity === undefined ? {} : { entity }),
    ...(entity_id === undefined ? {} : { entity_id }),
    data,
  }
}
