import { EventEntry } from '../../core/events/EventEntry'
import type { OwnerContext } from '../../core/kit'

/** Returns the types and data of all recorded events, oldest first. */
export async function publishedEvents({ rows }: Pick<OwnerContext, 'rows'>, prefix = '') {
  const found = await rows(EventEntry).list({ sort: [{ field: 'seq', direction: 'asc' }], limit: 1_000 })
  return found.filter(({ type }) => type.startsWith(prefix)).map(({ type, data }) => ({ type, data }))
}
