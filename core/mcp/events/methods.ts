import * as v from 'valibot'
import { authorizeOperation } from '../../auth/authorize'
import { readContext } from '../../contexts/context'
import type { RecordedEvent } from '../../contracts/event-type'
import { EventEntry } from '../../events/EventEntry'
import { pollEvents } from '../../events/poll-events'
import { eventsLimit, listEvents } from '../../http/listEvents'
import { fitted } from '../../kit/model-text'
import { type AuthenticatedState, originOf } from '../../requests/request'
import { ProtocolFault } from '../fault'
import type { ToolDeps } from '../tool'
import { faultFor, readParams, unknownType } from './faults'
import { eventParams } from './params'
import { modesOf, type SubscriptionDeps, subscribe, unsubscribe, unsupportedMode } from './subscriptions'
import { type OfferedEvents, offeredEvents } from './types'

/** How long a client should wait after an answer that was not full. */
const nextPollMs = 30_000

const pollParams = v.looseObject({
  ...eventParams,
  maxEvents: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(1)), eventsLimit.default),
})

/** The methods of the extension for events. */
export const eventMethods = [
  'events/list',
  'events/poll',
  'events/stream',
  'events/subscribe',
  'events/unsubscribe',
] as const
type EventMethod = (typeof eventMethods)[number]

export const isEventMethod = (method: unknown): method is EventMethod =>
  (eventMethods as readonly unknown[]).includes(method)

/** Answers a method of the extension for events. */
export type AnswerEvents = (
  method: EventMethod,
  params: Readonly<Record<string, unknown>>,
) => Promise<Record<string, unknown>>

export type EventMethodsDeps = SubscriptionDeps & Pick<ToolDeps, 'sources' | 'clock'>

/** Returns the answers to one request about events. Nothing is kept between requests. */
export function createAnswerEvents(deps: EventMethodsDeps, state: AuthenticatedState): AnswerEvents {
  const offered = offeredEvents(deps.registry)
  return async (method, params) => {
    if (method === 'events/list') return list(deps, state, offered, params)
    if (method === 'events/poll') return poll(deps, state, offered, params)
    if (method === 'events/subscribe') return subscribe(deps, state, offered, params)
    if (method === 'events/unsubscribe') return unsubscribe(deps, state, offered, params)
    throw unsupportedMode('push', await modesOf(deps, state))
  }
}

async function list(
  deps: EventMethodsDeps,
  state: AuthenticatedState,
  offered: ReadonlyMap<string, OfferedEvents>,
  { cursor }: Readonly<Record<string, unknown>>,
) {
  if (cursor !== undefined && cursor !== null)
    throw new ProtocolFault('events/list has one page: leave out `cursor`')
  const delivery = await modesOf(deps, state)
  return { events: [...offered.values()].map(({ listing }) => ({ ...listing, delivery })) }
}

async function poll(
  deps: EventMethodsDeps,
  state: AuthenticatedState,
  offered: ReadonlyMap<string, OfferedEvents>,
  params: Readonly<Record<string, unknown>>,
) {
  const read = readParams('events/poll', pollParams, params)
  const { name, arguments: given, cursor, maxAgeMs, maxEvents } = read
  const type = offered.get(name)
  if (!type) throw unknownType(name, [...offered.keys()])
  const now = deps.clock.now()
  try {
    const workspace = await deps.workspaceFor(given?.workspace_id)
    authorizeOperation(listEvents, state.principal, workspace)
    const caller = { workspace, credential: state.principal, requestId: state.id }
    const { registry, sources, clock } = deps
    const rows = readContext({ registry, sources, now: clock.now }, caller).rows(EventEntry)
    const { events, ...rest } = await pollEvents(rows, {
      ...{
        type: name,
        locationId: given?.location_id,
        cursor,
        limit: Math.min(maxEvents ?? 0, eventsLimit.max),
      },
      since: typeof maxAgeMs === 'number' ? new Date(now.getTime() - maxAgeMs).toISOString() : undefined,
    })
    return { events: events.map((event) => occurrence(event, type)), ...rest, nextPollMs }
  } catch (error) {
    throw faultFor(error, {
      requestId: state.id,
      path: '/api/mcp',
      apiUrl: originOf(state, deps.apiUrl),
      log: deps.log,
    })
  }
}

/** Returns an event for clients. Its payload is what models read, so strangers' words in it are marked. */
function occurrence(event: RecordedEvent, { words }: OfferedEvents) {
  const { id, type, seq: _, occurred_at, data, ...about } = event
  return {
    ...{ eventId: id, name: type, timestamp: occurred_at },
    data: fitted({ ...data, ...about }, { words }).value,
  }
}
