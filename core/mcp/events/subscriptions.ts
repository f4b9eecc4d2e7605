import * as v from 'valibot'
import { type Authorizer, authorizeOperation } from '../../auth/authorize'
import { subscriberOf } from '../../auth/event-subscriber'
import type { WorkspaceInfo } from '../../contracts/context'
import { isRefusal, Refusal, recoverIf } from '../../contracts/errors'
import { type EventDelivery, type EventSubscriptionKey, eventDelivery } from '../../contracts/event-delivery'
import type { AnyOperation } from '../../contracts/operation'
import type { Log, OwnerContext } from '../../contracts/plugin'
import { dayMs } from '../../contracts/time'
import { isAllowedCallback } from '../../events/callback-hosts'
import { listEvents } from '../../http/listEvents'
import { webhookAddressFault } from '../../kit/post-webhook'
import { isWebhookSecret } from '../../kit/webhook-signature'
import { type AuthenticatedState, originOf } from '../../requests/request'
import { Agency } from '../../tenancy/Agency'
import { ProtocolFault } from '../fault'
import type { ToolDeps } from '../tool'
import { eventCodes, faultFor, readParams, unknownType } from './faults'
import { eventParams, selection } from './params'
import type { OfferedEvents } from './types'

export interface SubscriptionDeps extends Pick<ToolDeps, 'registry' | 'limits' | 'apiUrl'> {
  readonly log: Log
  readonly owner: OwnerContext
  readonly authorizer: Pick<Authorizer, 'requireActive'>
  /** Returns the workspace that the arguments name, or the one of the connection. */
  readonly workspaceFor: (named: unknown) => WorkspaceInfo | Promise<WorkspaceInfo>
  /** Returns the id of the location that the arguments name. Refuses one that the workspace does not have. */
  readonly locationFor: (workspace: WorkspaceInfo, named: string | undefined) => Promise<string> | undefined
}

type Params = Readonly<Record<string, unknown>>
type Mode = 'poll' | 'webhook'

/** A subscription sets something up, so credentials that may only read have none. */
const subscribeEvents = { ...listEvents, name: 'events/subscribe', class: 'setup' } as const

const address = v.pipe(
  v.string(),
  v.maxLength(2_000),
  v.check(
    (text) => webhookAddressFault(text) === null && text === text.trim(),
    'must be a public address that begins with https://',
  ),
  v.check((text) => !text.includes('#'), 'must not have a fragment'),
)

const deliveryOf = <S extends v.ObjectEntries>(more: S) =>
  v.looseObject({ mode: v.optional(v.string(), 'webhook'), url: address, ...more })

const subscribeParams = v.looseObject({
  ...eventParams,
  delivery: deliveryOf({
    secret: v.pipe(
      v.string(),
      v.maxLength(120),
      v.check(isWebhookSecret, 'must be `whsec_` and 24 to 64 random bytes in base64'),
    ),
  }),
  ttlMs: v.nullish(v.pipe(v.number(), v.integer(), v.minValue(0)), dayMs),
})
const unsubscribeParams = v.looseObject({ ...selection, delivery: deliveryOf({}) })

/** Returns the ways in which the credential can get events. */
export async function modesOf(
  { owner }: Pick<SubscriptionDeps, 'owner'>,
  state: AuthenticatedState,
): Promise<Mode[]> {
  const isOffered = owner.extensions(eventDelivery).length > 0 && (await hostsOf(owner, state)).length > 0
  return isOffered ? ['poll', 'webhook'] : ['poll']
}

async function hostsOf(owner: OwnerContext, { principal }: AuthenticatedState): Promise<readonly string[]> {
  const agency = await owner.rows(Agency).get(principal.agency_id)
  return agency?.event_hosts ?? []
}

/** The fault of a way of delivery that the credential does not have. */
export const unsupportedMode = (value: string, supported: readonly Mode[]) =>
  new ProtocolFault(
    value === 'webhook'
      ? 'Events are not delivered by webhook, because no callback hosts are allowed. The agency owner allows them under Settings, Apps. Until then, poll with events/poll'
      : `Events are not delivered by ${value}. Poll them with events/poll`,
    { feature: 'deliveryMode', value, supported },
    eventCodes.unsupported,
  )

/** Has the events of one type sent to a callback, or renews that. */
export function subscribe(
  deps: SubscriptionDeps,
  state: AuthenticatedState,
  offered: ReadonlyMap<string, OfferedEvents>,
  params: Params,
) {
  return inProtocol(deps, state, async () => {
    const delivery = await requireDelivery(deps, state, params)
    const read = readParams('events/subscribe', subscribeParams, params)
    const { name, cursor, maxAgeMs, ttlMs } = read
    if (!offered.has(name)) throw unknownType(name, [...offered.keys()])
    const { url, secret } = read.delivery
    deps.limits.count(state, 'mcpOperationTool', { credential: state.principal.id })
    if (!isAllowedCallback(url, await hostsOf(deps.owner, state))) throw hostFault(url)
    const key = await keyOf(deps, state, subscribeEvents, read)
    const now = deps.owner.now().getTime()
    const age = typeof maxAgeMs === 'number' && cursor !== null ? maxAgeMs : null
    const grant = await delivery.subscribe(deps.owner, {
      ...key,
      secret,
      cursor,
      ttlMs: ttlMs ?? dayMs,
      ...(age === null ? {} : { since: new Date(now - age).toISOString() }),
    })
    return { ...grant }
  })
}

/** Ends a subscription. */
export function unsubscribe(
  deps: SubscriptionDeps,
  state: AuthenticatedState,
  offered: ReadonlyMap<string, OfferedEvents>,
  params: Params,
) {
  return inProtocol(deps, state, async () => {
    const [delivery] = deps.owner.extensions(eventDelivery)
    const read = readParams('events/unsubscribe', unsubscribeParams, params)
    if (!offered.has(read.name)) throw unknownType(read.name, [...offered.keys()])
    const isEnded =
      delivery && (await delivery.unsubscribe(deps.owner, await keyOf(deps, state, listEvents, read)))
    if (isEnded) return {}
    throw new ProtocolFault(
      'There is no such subscription. The name, the arguments and the callback must be those of events/subscribe',
      { kind: 'subscription' },
      eventCodes.notFound,
    )
  })
}

async function requireDelivery(
  deps: SubscriptionDeps,
  state: AuthenticatedState,
  { delivery }: Params,
): Promise<EventDelivery> {
  const mode = (delivery as { mode?: unknown } | null | undefined)?.mode ?? 'webhook'
  const modes = await modesOf(deps, state)
  const [found] = deps.owner.extensions(eventDelivery)
  if (found && mode === 'webhook' && modes.includes('webhook')) return found
  throw unsupportedMode(mode === 'webhook' ? mode : 'this mode', modes)
}

async function keyOf(
  { owner, authorizer, workspaceFor, locationFor }: SubscriptionDeps,
  { principal }: AuthenticatedState,
  operation: AnyOperation,
  read: v.InferOutput<typeof unsubscribeParams>,
): Promise<EventSubscriptionKey> {
  const workspace = await workspaceFor(read.arguments?.workspace_id)
  authorizeOperation(operation, principal, workspace)
  await authorizer.requireActive(operation, workspace)
  const place = { agency_id: principal.agency_id, workspace_id: workspace.id }
  const subscriber = await subscriberOf(owner, principal.id, place)
  if (!subscriber) throw new Refusal('unauthenticated', 'The credential was revoked.')
  const named = read.arguments?.location_id
  // A subscription can end after its location was removed.
  const found = locationFor(workspace, named)
  const location_id = await (operation.name === listEvents.name
    ? found?.catch(recoverIf(isRefusal, () => named))
    : found)
  return {
    subscriber,
    type: read.name,
    url: new URL(read.delivery.url).href,
    ...(location_id === undefined ? {} : { location_id }),
  }
}

const hostFault = (url: string) =>
  new ProtocolFault(
    `The owner does not allow callbacks at ${new URL(url).hostname}. Allowed hosts are listed under Settings, Apps`,
    { reason: 'callback_host_not_allowed' },
    eventCodes.forbidden,
  )

async function inProtocol<T>(
  deps: SubscriptionDeps,
  state: AuthenticatedState,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw faultFor(error, {
      requestId: state.id,
      path: '/api/mcp',
      log: deps.log,
      apiUrl: originOf(state, deps.apiUrl),
    })
  }
}
