import type { AnyEventType, NewEvent, RecordedEvent } from '../contracts/event-type'
import type { Log, OwnerContext } from '../contracts/plugin'
import type { PluginEvents, Publish } from '../contracts/upkeep'
import { connectionReady, locationReady } from '../events/core-events'
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

/** Names of 1.0: the event type of each, and its data. */
const formerNames: {
  readonly [K in keyof PluginEvents]: {
    readonly type: AnyEventType
    dataOf(about: Readonly<Record<string, unknown>>): object
  }
} = {
  accountReady: {
    type: connectionReady,
    dataOf: ({ provider, account_id }) => ({ provider, account_id }),
  },
  locationReady: { type: locationReady, dataOf: ({ location_id }) => ({ location_id }) },
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
        const about = aboutFor(to, recorded)
        if (about === null) continue
        try {
          await (subscriber as (ctx: OwnerContext, about: unknown) => Promise<void>)(context(), about)
        } catch (error) {
          log.error('the subscriber of a plugin failed', { plugin: name, to, error: String(error) })
        }
      }
    }
  }
  return async (what: AnyEventType | keyof PluginEvents, given: object): Promise<void> => {
    const { type, event } = typeof what === 'string' ? currentForm(what, given) : { type: what, event: given }
    const recorded = await record(type, event as NewEvent)
    if (recorded) await tell(recorded)
  }
}

/** Returns what a subscriber to this name gets for an event. Null if it does not want it. */
function aboutFor(name: string, event: RecordedEvent): unknown {
  if (name === '*' || name === event.type) return event
  const former = formerNames[name as keyof PluginEvents]
  return former?.type.name === event.type ? { workspace_id: event.workspace_id, ...event.data } : null
}

function currentForm(name: keyof PluginEvents, given: object) {
  const about = given as Readonly<Record<string, unknown>>
  const { type, dataOf } = formerNames[name]
  const { workspace_id, location_id } = about
  const event = { workspace_id, ...(location_id === undefined ? {} : { location_id }), data: dataOf(about) }
  return { type, event }
}

function unstored(type: AnyEventType, event: NewEvent, now: Date): RecordedEvent {
  const { key: _, ...about } = event
  const id = newId(EventEntry.idPrefix, now)
  return { ...about, id, type: type.name, seq: 0, occurred_at: now.toISOString(), data: event.data as never }
}
