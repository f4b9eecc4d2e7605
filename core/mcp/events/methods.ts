import * as v from 'valibot'
import { authorizeOperation } from '../../auth/authorize'
import { readContext } from '../../contexts/context'
import { resolveOne } from '../../contexts/references'
import type { WorkspaceInfo } from '../../contracts/context'
import { isRefusal } from '../../contracts/errors'
import type { RecordedEvent } from '../../contracts/event-type'
import { where } from '../../contracts/where'
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

export type EventMethodsDeps = Omit<SubscriptionDeps, 'locationFor'> & Pick<ToolDeps, 'sources' | 'clock'>

/** Returns the answers to one request about events. Nothing is kept between requests. */
export function createAnswerEvents(deps: EventMethodsDeps, state: AuthenticatedState): AnswerEvents {
  const offered = offeredEvents(deps.registry)
  const locationFor = (workspace: WorkspaceInfo, named: string | undefined) =>
    named === undefined ? undefined : locationIn(deps, state, workspace, named)
  const subscribing = { ...deps, locationFor }
  return async (method, params) => {
    if (method === 'events/list') return list(deps, state, offered, params)
    if (method === 'events/poll') return poll(subscribing, state, offered, params)
    if (method === 'events/subscribe') return subscribe(subscribing, state, offered, params)
    if (method === 'events/unsubscribe') return unsubscribe(subscribing, state, offered, params)
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

function contextIn(
  { registry, sources, clock }: EventMethodsDeps,
  { id, principal }: AuthenticatedState,
  workspace: WorkspaceInfo,
) {
  const caller = { workspace, credential: principal, requestId: id }
  return readContext({ registry, sources, now: clock.now }, caller)
}

/** The log can have events of a location that was removed. */
async function locationIn(
  deps: EventMethodsDeps,
  state: AuthenticatedState,
  workspace: WorkspaceInfo,
  named: string,
): Promise<string> {
  const ctx = contextIn(deps, state, workspace)
  try {
    const caller = { workspace, credential: state.principal }
    return await resolveOne(deps, caller, { argument: 'location_id', text: named })
  } catch (error) {
    const about = { where: where.eq('location_id', named), limit: 1 }
    if (isRefusal(error) && (await ctx.rows(EventEntry).list(about)).length > 0) return named
    throw error
  }
}

async function poll(
  deps: EventMethodsDeps & Pick<SubscriptionDeps, 'locationFor'>,
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
    const rows = contextIn(deps, state, workspace).rows(EventEntry)
    const { events, ...rest } = await pollEvents(rows, {
      type: name,
      locationId: await deps.locationFor(workspace, given?.location_id),
      cursor,
      limit: Math.min(maxEvents ?? 0, eventsLimit.max),
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
    eventId: id,
    name: type,
    timestamp: occurred_at,
    data: fitted({ ...data, ...about }, { words }).value,
  }
}
