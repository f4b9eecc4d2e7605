import * as v from 'valibot'
import { authorizeOperation } from '../auth/authorize'
import { readContext } from '../contexts/context'
import type { WorkspaceInfo } from '../contracts/context'
import { isRefusal } from '../contracts/errors'
import type { RecordedEvent } from '../contracts/event-type'
import type { Log } from '../contracts/plugin'
import { withoutSecrets } from '../contracts/secret-text'
import { dayMs } from '../contracts/time'
import { EventEntry } from '../events/EventEntry'
import { firstCursor, pollEvents } from '../events/poll-events'
import { eventsLimit, listEvents } from '../http/listEvents'
import { faultsOf } from '../kit/faults'
import { fitted } from '../kit/model-text'
import { nearest } from '../kit/suggest'
import { type ProblemInfo, problemOf, retryAfterOf } from '../requests/problem'
import { type AuthenticatedState, originOf } from '../requests/request'
import { type OfferedEvents, offeredEvents } from './event-types'
import { ProtocolFault } from './fault'
import type { ToolDeps } from './tool'
import { problemInToolWords } from './tool-words'

/** Codes of the extension for events. Its others are about subscriptions and callback addresses, which Renown does not accept. */
const eventCodes = { notFound: -32011, forbidden: -32012, unsupported: -32014 } as const

/** How long a client should wait after an answer that was not full. */
const nextPollMs = 30_000
const maxAgeMsMax = 366 * dayMs
const cursorPattern = /^evt_[0-9A-HJKMNP-TV-Z]{26}$/

const pollParams = v.looseObject({
  name: v.pipe(v.string(), v.maxLength(200)),
  arguments: v.nullish(
    v.strictObject({
      workspace_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(64))),
      location_id: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200))),
    }),
    {},
  ),
  cursor: v.nullish(
    v.pipe(
      v.string(),
      v.maxLength(64),
      v.check(
        (text) => text === firstCursor || cursorPattern.test(text),
        'must be the cursor of an earlier answer, or null to begin now',
      ),
    ),
    null,
  ),
  maxAgeMs: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxAgeMsMax))),
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

export interface EventMethodsDeps extends Pick<ToolDeps, 'registry' | 'sources' | 'clock' | 'apiUrl'> {
  readonly log: Log
  /** Returns the workspace that the arguments name, or the one of the connection. */
  readonly workspaceFor: (named: unknown) => WorkspaceInfo | Promise<WorkspaceInfo>
}

/** Returns the answers to one request about events. Nothing is kept between requests. */
export function createAnswerEvents(deps: EventMethodsDeps, state: AuthenticatedState): AnswerEvents {
  const offered = offeredEvents(deps.registry)
  return async (method, params) => {
    if (method === 'events/list') return list(offered, params)
    if (method === 'events/poll') return poll(deps, state, offered, params)
    const value = method === 'events/stream' ? 'push' : 'webhook'
    throw new ProtocolFault(
      `Events are not delivered by ${value}. Poll them with events/poll`,
      { feature: 'deliveryMode', value, supported: ['poll'] },
      eventCodes.unsupported,
    )
  }
}

function list(offered: ReadonlyMap<string, OfferedEvents>, { cursor }: Readonly<Record<string, unknown>>) {
  if (cursor !== undefined && cursor !== null)
    throw new ProtocolFault('events/list has one page: leave out `cursor`')
  return { events: [...offered.values()].map(({ listing }) => listing) }
}

async function poll(
  deps: EventMethodsDeps,
  state: AuthenticatedState,
  offered: ReadonlyMap<string, OfferedEvents>,
  params: Readonly<Record<string, unknown>>,
) {
  const parsed = v.safeParse(pollParams, params)
  if (!parsed.success) {
    const errors = faultsOf(parsed.issues)
    const told = errors.slice(0, 5).map(({ pointer, message }) => `${pointer} ${message}`)
    throw new ProtocolFault(withoutSecrets(`Invalid params of events/poll: ${told.join('; ')}`), { errors })
  }
  const { name, arguments: given, cursor, maxAgeMs, maxEvents } = parsed.output
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

function unknownType(name: string, known: readonly string[]): ProtocolFault {
  const meant = nearest(name, known)
  const shown = withoutSecrets(name.slice(0, 80))
  return new ProtocolFault(
    `Unknown event ${shown}${meant ? `; did you mean ${meant}?` : '. events/list names all'}`,
    { kind: 'event', ...(meant ? { did_you_mean: meant } : {}) },
    eventCodes.notFound,
  )
}

const codeOf: Readonly<Record<string, number>> = {
  invalid_parameter: -32602,
  invalid_field: -32602,
}

/** Returns an error of the product as one of the protocol. Its data is the problem, as tools show it. */
function faultFor(error: unknown, info: ProblemInfo): ProtocolFault {
  const problem = problemInToolWords(problemOf(error, info))
  const seconds = retryAfterOf(error)
  const isForbidden = isRefusal(error) && problem.status === 403
  const code = isForbidden ? eventCodes.forbidden : (codeOf[problem.code] ?? -32603)
  const data = { ...problem, ...(seconds === undefined ? {} : { retry_after_seconds: seconds }) }
  return new ProtocolFault(withoutSecrets(`${problem.title}. ${problem.detail}`), data, code)
}
