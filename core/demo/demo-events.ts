import type { DemoEvent, DemoRow, DemoRows, DemoWorld } from '../contracts/demo'
import type { PluginDeclaration } from '../contracts/plugin'
import { EventEntry } from '../events/EventEntry'
import { eventFields } from '../events/event-log'

/**
 * Returns the events of a plugin's rows. Those of the demo's day are left out, because the day may have just begun.
 */
export const eventsOf = (
  { demo }: Pick<PluginDeclaration, 'demo'>,
  world: DemoWorld,
  rows: readonly DemoRows[],
): readonly DemoEvent[] => (demo?.events?.(world, rows) ?? []).filter(({ at }) => at < world.at(0, 0))

/** Returns the logs of the demo's workspaces: the events in their order, each checked as if it were published. */
export function eventLogs(world: DemoWorld, events: readonly DemoEvent[]): DemoRows {
  const keyOf = ({ type, event }: DemoEvent) => `${type.name} ${event.workspace_id} ${event.key ?? ''}`
  const sorted = events
    .map((event) => ({ ...event, key: keyOf(event) }))
    .toSorted((a, b) => (a.at === b.at ? (a.key < b.key ? -1 : 1) : a.at < b.at ? -1 : 1))
  const last = new Map<string, number>()
  const rows = sorted.map(({ type, event, at, key }): DemoRow<typeof EventEntry> => {
    const seq = (last.get(event.workspace_id) ?? 0) + 1
    last.set(event.workspace_id, seq)
    const id = world.id(EventEntry, key)
    return { id, seq, ...eventFields(type, event, () => id), created_date: at, updated_date: at }
  })
  return { entity: EventEntry, rows }
}
