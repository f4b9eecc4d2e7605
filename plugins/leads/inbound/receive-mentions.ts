import { type OwnerContext, Refusal, type Row, where } from 'renown'
import type { ReceiverDeclaration } from 'renown/sending'
import type { ActiveTrackers } from '../finding/active-trackers'
import { storePosts } from '../finding/store-posts'
import { buildMatcher } from '../keywords/matcher'
import { BrandTracker } from '../records/BrandTracker'
import { BusinessLocation } from '../records/foreign'
import { InboundAddress, type InboundAddressRow } from '../records/InboundAddress'
import { readSource } from '../sources/read-source'
import { inbound, inboundTarget } from './inbound-source'
import { readItems } from './read-items'

/** Returns the field that the signing secret of an address is encrypted for. */
export const sealedAt = ({ id, workspace_id }: Pick<InboundAddressRow, 'id' | 'workspace_id'>) => ({
  entity: InboundAddress.name,
  workspace_id,
  id,
  field: 'secret',
})

/** Stores posts that other services send for a tracker. They are mentions when the sender gets its answer. */
export const mentionReceiver: ReceiverDeclaration = {
  summary: 'Posts for a tracker, as items of JSON Feed',
  async find(ctx, tokenHash) {
    const [row] = await ctx.rows(InboundAddress).list({ where: where.eq('token_hash', tokenHash), limit: 1 })
    if (!row) return null
    const secrets = row.secret === undefined ? [] : [ctx.outbound.secrets.open(row.secret, sealedAt(row))]
    return { id: row.id, workspace_id: row.workspace_id, secrets }
  },
  async receive(ctx, { id }, message) {
    const address = await ctx.rows(InboundAddress).get(id)
    if (!address) throw new Refusal('not_found', 'There is nothing at this address.')
    const tracker = await workingTracker(ctx, address)
    const items = await readItems(message)
    const source = { ...inbound, read: async () => ({ ...items, cursor: null, isMore: false }) }
    const target = inboundTarget(tracker.id)
    const reading = await readSource(ctx, source, {
      target,
      cursor: null,
      since: ctx.now().toISOString(),
      signal: new AbortController().signal,
    })
    const accepted = await storePosts(ctx, { source, target, active: onlyFor(tracker, target), reading })
    await noteArrival(ctx, address, reading)
    return {
      received: reading.posts.length + reading.unread.length,
      accepted,
      left_out: reading.posts.length - accepted,
      unreadable: reading.unread.length,
      ...(reading.unread.length === 0 ? {} : { problems: reading.unread.map(({ reason }) => reason) }),
    }
  },
}

async function workingTracker(ctx: OwnerContext, { tracker_id }: InboundAddressRow) {
  const tracker = await ctx.rows(BrandTracker).get(tracker_id)
  const location = tracker && (await ctx.rows(BusinessLocation).get(tracker.location_id))
  if (!tracker?.is_active || !location?.is_active) {
    throw new Refusal('conflict', 'The tracker of this address is paused. Nothing was stored.')
  }
  return tracker
}

/** The tracker alone, as a reader of the posts that were sent for it. */
const onlyFor = (tracker: Row<typeof BrandTracker>, target: string): ActiveTrackers => ({
  trackers: new Map([[tracker.id, { ...tracker, feeds: [target] }]]),
  matcher: buildMatcher([tracker]),
  version: '',
})

const noteArrival = (
  ctx: OwnerContext,
  { id, posts_seen, unread_seen }: InboundAddressRow,
  {
    posts,
    unread,
  }: { readonly posts: readonly unknown[]; readonly unread: readonly { readonly reason: string }[] },
) =>
  ctx.rows(InboundAddress).update(id, {
    received_at: ctx.now().toISOString(),
    posts_seen: posts_seen + posts.length,
    unread_seen: unread_seen + unread.length,
    ...(unread[0] ? { unread_reason: unread[0].reason.slice(0, 200) } : {}),
  })
