import type { AnyEventType, NewEvent, RecordedEvent } from '../contracts/event-type'
import type { Log, OwnerContext } from '../contracts/plugin'
import type { Publish } from '../contracts/upkeep'
import { EventEntry } from '../events/EventEntry'
import { createEventLog } from '../events/event-log'
import type { Clock } from '../process/clock'
import { newId } from '../process/ids'
import type { Registry } from '../registry/registry'
import type { Documents } from '../stores/documents/port'

export interface PublishDeps {
  readonly registry: Registry
  readonly documents: Documents
  readonly clock: Clock
  readonly log: Log
  /** Whether subscribers work for a workspace. */
  readonly isWorkedOn: (workspaceId: string) => Promise<boolean>
  readonly context: () => OwnerContext
}

/**
 * Returns the only way to say that something happened: the event is recorded in the log of its workspace, and the
 * subscribers are called. Subscribers are not called for events of an inactive workspace.
 */
export function createPublish(deps: PublishDeps): Publish {
  const { registry, documents, clock, log, isWorkedOn, context } = deps
  const events = createEventLog({ documents, clock })
  const isStored = registry.entities.has(EventEntry.name)
  const record = async (type: AnyEventType, event: NewEvent): Promise<RecordedEvent | null> => {
    // Tests load plugins without the gateway's record types.
    if (!isStored) return unstored(type, event, clock.now())
    if (registry.eventTypes.has(type.name)) return events.append(type, event)
    throw new Error(`No loaded plugin declares the event type ${type.name}`)
  }
  const tell = async (recorded: RecordedEvent): Promise<void> => {
    if (!(await isWorkedOn(recorded.workspace_id))) return
    for (const { name, subscribers } of registry.plugins.values()) {
      for (const [to, subscriber] of Object.entries(subscribers ?? {})) {
        if (to !== '*' && to !== recorded.type) continue
        try {
          await subscriber(context(), recorded)
        } catch (error) {
          log.error('the subscriber of a plugin failed', { plugin: name, to, error: String(error) })
        }
      }
    }
  }
  return async (type: AnyEventType, event: NewEvent): Promise<void> => {
    const recorded = await record(type, event)
    if (recorded) await tell(recorded)
  }
}

function unstored(type: AnyEventType, event: NewEvent, now: Date): RecordedEvent {
  const { key: _, ...about } = event
  const id = newId(EventEntry.idPrefix, now)
  return { ...about, id, type: type.name, seq: 0, occurred_at: now.toISOString(), data: event.data as never }
}
