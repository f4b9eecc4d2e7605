import { dayMs, minuteMs, moveState, nullIfConflict, type OwnerContext, where } from 'renown'
import {
  EventDeliveryFault,
  type EventSubscriptionGrant,
  type EventSubscriptionKey,
  type EventSubscriptionWish,
} from 'renown/sending'
import { canonicalJson } from 'renown/sources'
import { enqueueSubscription } from '../delivery/queue'
import { EventSubscription, type SubscriptionRow, subscriptionState } from '../records/EventSubscription'
import { challengeFault, sealedAt } from './callback'
import { endSubscription } from './end'
import { cursorAt, type Position, positionOf } from './position'
import { requireNotStopped } from './stopped'

/** Maximum active subscriptions of a credential, in all workspaces. */
export const perCredentialMax = 50
/** Maximum active subscriptions of a workspace. */
export const perWorkspaceMax = 100
/** How long messages are signed with the former secret too. */
const overlapMs = 5 * minuteMs
const ttl = { min: minuteMs, max: dayMs }

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns the id of a subscription: the same for the same credential, events and callback. */
function idOf({ subscriber, type, location_id, url }: EventSubscriptionKey): string {
  const { workspace_id, credential } = subscriber
  const key = canonicalJson({ credential, workspace_id, type, location_id, url })
  const bytes = new Bun.CryptoHasher('sha256').update(key).digest()
  return `sub_${[...bytes.subarray(0, 26)].map((byte) => crockford.charAt(byte & 31)).join('')}`
}

const isLive = ({ now }: OwnerContext, row: SubscriptionRow | null): row is SubscriptionRow =>
  row?.state === 'active' && row.expires_at > now().toISOString()

/** Name of the lock under which the subscriptions of an agency begin and are stopped. */
export const lockOf = ({ agency_id }: { readonly agency_id: string }): string =>
  `event subscriptions ${agency_id}`

async function requireFree(ctx: OwnerContext, wish: EventSubscriptionWish): Promise<void> {
  await requireNotStopped(ctx, wish)
  await requireRoom(ctx, wish)
}

/** Creates a subscription or renews it. Nothing is sent before the callback proved that it expects events. */
export async function subscribe(
  ctx: OwnerContext,
  wish: EventSubscriptionWish,
): Promise<EventSubscriptionGrant> {
  const { workspace_id } = wish.subscriber
  const id = idOf(wish)
  const known = await ctx.rows(EventSubscription).get(id)
  const live = isLive(ctx, known) ? known : null
  if (!live) await requireFree(ctx, wish)
  // Read before the challenge, so that no event since the request is left out.
  const position = live ? { seq: live.cursor, isLost: false } : await positionOf(ctx, workspace_id, wish)
  const verified_at = (await verifiedAt(ctx, wish)) ?? (await verify(ctx, id, wish))
  const row = await ctx.withLock(lockOf(wish.subscriber), async () => {
    const current = await ctx.rows(EventSubscription).get(id)
    if (isLive(ctx, current)) return renew(ctx, current, wish)
    await requireFree(ctx, wish)
    return begin(ctx, current, { wish, id, position, verified_at })
  })
  if (!live) await audit(ctx, wish, 'subscribe', 'Events are sent to a callback of an agent')
  await enqueueSubscription(ctx, row)
  return {
    id,
    refreshBefore: row.expires_at,
    truncated: position.isLost,
    cursor: await cursorAt(ctx, workspace_id, row.cursor),
    ...(live ? { deliveryStatus: statusOf(live) } : {}),
  }
}

/** Ends a subscription of a credential. False if there is none. */
export async function unsubscribe(ctx: OwnerContext, key: EventSubscriptionKey): Promise<boolean> {
  const row = await ctx.rows(EventSubscription).get(idOf(key))
  return isLive(ctx, row) && endSubscription(ctx, row, 'The app unsubscribed.')
}

const activeWhere = (ctx: OwnerContext, field: 'workspace_id' | 'credential', value: string) =>
  where.and(
    where.eq(field, value),
    where.eq('state', 'active'),
    where.gt('expires_at', ctx.now().toISOString()),
  )

async function requireRoom(ctx: OwnerContext, { subscriber }: EventSubscriptionWish): Promise<void> {
  const rows = ctx.rows(EventSubscription)
  const own = await rows.count(activeWhere(ctx, 'credential', subscriber.credential))
  const all = await rows.count(activeWhere(ctx, 'workspace_id', subscriber.workspace_id))
  const max = own >= perCredentialMax ? perCredentialMax : perWorkspaceMax
  if (own < perCredentialMax && all < perWorkspaceMax) return
  throw new EventDeliveryFault(`There are already ${max} subscriptions. End one first`, {
    kind: 'exhausted',
    max,
  })
}

/** Returns when the credential verified this callback with this secret, or null. */
async function verifiedAt(ctx: OwnerContext, wish: EventSubscriptionWish): Promise<string | null> {
  const same = where.and(
    activeWhere(ctx, 'credential', wish.subscriber.credential),
    where.eq('url', wish.url),
  )
  for (const row of await ctx.rows(EventSubscription).list({ where: same, limit: perCredentialMax })) {
    if (ctx.outbound.secrets.open(row.secret, sealedAt(row, 'secret')) === wish.secret) return row.verified_at
  }
  return null
}

async function verify(ctx: OwnerContext, id: string, wish: EventSubscriptionWish): Promise<string> {
  const reason = await challengeFault(ctx, { subscription: id, url: wish.url, secrets: [wish.secret] })
  if (reason === null) return ctx.now().toISOString()
  throw new EventDeliveryFault(
    'The callback was not verified. It must answer the `verification` message with status 200 and its `challenge`',
    { kind: 'callback', reason },
  )
}

const expiry = (ctx: OwnerContext, { ttlMs }: EventSubscriptionWish): string =>
  new Date(ctx.now().getTime() + Math.min(Math.max(ttlMs, ttl.min), ttl.max)).toISOString()

interface Beginning {
  readonly wish: EventSubscriptionWish
  readonly id: string
  readonly position: Position
  readonly verified_at: string
}

async function begin(
  ctx: OwnerContext,
  current: SubscriptionRow | null,
  { wish, id, position, verified_at }: Beginning,
): Promise<SubscriptionRow> {
  const { subscriber, type, location_id, url } = wish
  if (current?.state === 'active') await endSubscription(ctx, current, 'The app did not renew it in time.')
  const { workspace_id, ...by } = subscriber
  const fresh = {
    ...by,
    type,
    url,
    cursor: position.seq,
    attempts: 0,
    delivered: 0,
    verified_at,
    ...(location_id === undefined ? {} : { location_id }),
    expires_at: expiry(ctx, wish),
    secret: ctx.outbound.secrets.seal(wish.secret, sealedAt({ id, workspace_id }, 'secret')),
  }
  const rows = ctx.rows(EventSubscription)
  if (!current) {
    const added = await rows.insert({ id, workspace_id, state: 'active', ...fresh }).catch(nullIfConflict)
    if (added) return added
  }
  const none = { former_secret: undefined, former_until: undefined, is_suspended: undefined }
  const moved = moveState(subscriptionState, 'ended', 'active', {
    now: ctx.now(),
    with: {
      ...fresh,
      ...none,
      due_at: undefined,
      failing_since: undefined,
      last_error: undefined,
      delivered_at: undefined,
    },
  })
  const ended = where.and(where.eq('id', id), where.eq('state', 'ended'))
  const again = await rows.updateWhere(ended, moved as Partial<SubscriptionRow>)
  return again ?? ((await rows.get(id)) as SubscriptionRow)
}

/** Renews a subscription. A suspended one sends again, beginning with the event that failed. */
async function renew(
  ctx: OwnerContext,
  row: SubscriptionRow,
  wish: EventSubscriptionWish,
): Promise<SubscriptionRow> {
  const { secrets } = ctx.outbound
  const former = secrets.open(row.secret, sealedAt(row, 'secret'))
  const { key_minted_at } = wish.subscriber
  const changed = await ctx
    .rows(EventSubscription)
    .updateWhere(where.and(where.eq('id', row.id), where.eq('state', 'active')), {
      expires_at: expiry(ctx, wish),
      ...(key_minted_at === undefined ? {} : { key_minted_at }),
      ...(row.is_suspended === true ? { is_suspended: undefined, attempts: 0, due_at: undefined } : {}),
      ...(former === wish.secret
        ? {}
        : {
            secret: secrets.seal(wish.secret, sealedAt(row, 'secret')),
            former_secret: secrets.seal(former, sealedAt(row, 'former_secret')),
            former_until: new Date(ctx.now().getTime() + overlapMs).toISOString(),
          }),
    })
  return changed ?? row
}

const statusOf = (row: SubscriptionRow): NonNullable<EventSubscriptionGrant['deliveryStatus']> => ({
  active: row.is_suspended !== true,
  lastDeliveryAt: row.delivered_at ?? null,
  lastError: row.last_error ?? null,
  ...(row.failing_since === undefined ? {} : { failedSince: row.failing_since }),
})

/** Records in the audit log that events are sent to a callback, or no longer. */
export const audit = (
  ctx: OwnerContext,
  { subscriber, url }: Pick<EventSubscriptionWish, 'subscriber' | 'url'>,
  action: string,
  what: string,
): Promise<void> =>
  ctx.recordAudit({
    workspace_id: subscriber.workspace_id,
    action: `workspace.events_${action}`,
    what,
    by: ctx.by,
    subject: new URL(url).hostname,
  })
