import {
  defineCommand,
  field,
  newWebhookSecret,
  nullIfConflict,
  type OwnerContext,
  Refusal,
  requireRow,
  where,
} from 'renown'
import * as v from 'valibot'
import { BrandTracker } from '../records/BrandTracker'
import { InboundAddress, type InboundAddressRow } from '../records/InboundAddress'
import { noteTracking } from '../tracking/note-tracking'
import { sealedAt } from './receive-mentions'

const hint = '`bun renown mentions trackers` lists them.'
/** Logs and answers never show a text that begins like this. */
const tokenPrefix = 'rnw_in_'

/** Creates, replaces, shows or removes the address of a tracker for posts that other services send. */
export const inboundAddress = defineCommand({
  name: 'mentions inbound',
  summary: 'Create, rotate, remove or show the address to which other services send posts for a tracker',
  input: v.strictObject({
    tracker_id: field.text('Id of the tracker'),
    action: field.oneOf(['create', 'rotate', 'remove', 'show'], 'What to do with its address'),
    signed: v.optional(
      field.flag('Accept only messages with a signature of Standard Webhooks. The secret is shown once'),
      false,
    ),
  }),
  positional: ['tracker_id', 'action'],
  secrets: ['address', 'signing_secret'],
  async run(ctx, { tracker_id, action, signed }) {
    const tracker = await requireRow(ctx.rows(BrandTracker), 'tracker', tracker_id, hint)
    const ofTracker = where.eq('tracker_id', tracker_id)
    const [known] = await ctx.rows(InboundAddress).list({ where: ofTracker, limit: 1 })
    if (action === 'create') {
      if (known) throw alreadyThere(tracker_id)
      await ctx.requireActive(tracker.workspace_id)
      const made = await newAddress(
        ctx,
        { id: ctx.newId(InboundAddress), workspace_id: tracker.workspace_id },
        signed,
      )
      const { workspace_id, location_id } = tracker
      const row = await ctx
        .rows(InboundAddress)
        .insert({ ...made.row, workspace_id, location_id, tracker_id, posts_seen: 0, unread_seen: 0 })
        .catch(nullIfConflict)
      if (!row) throw alreadyThere(tracker_id)
      await noteTracking(ctx, tracker, 'inbound_create')
      return { tracker_id, ...made.shownOnce }
    }
    if (!known) {
      throw new Refusal('not_found', `The tracker ${tracker_id} has no address for posts.`, {
        hint: `\`bun renown mentions inbound ${tracker_id} create\` creates one.`,
      })
    }
    if (action === 'show') return shown(known)
    if (action === 'remove') {
      await ctx.rows(InboundAddress).removeWhere(ofTracker)
      await noteTracking(ctx, tracker, 'inbound_remove')
      return { tracker_id, removed: true }
    }
    await ctx.requireActive(tracker.workspace_id)
    const made = await newAddress(ctx, known, signed || known.secret !== undefined)
    const { id: _, ...changes } = made.row
    const changed = await ctx.rows(InboundAddress).update(known.id, changes)
    if (!changed) throw new Refusal('conflict', 'The address was removed while it was being replaced.')
    await noteTracking(ctx, tracker, 'inbound_rotate')
    return { tracker_id, ...made.shownOnce }
  },
})

const alreadyThere = (id: string) =>
  new Refusal('conflict', `The tracker ${id} has an address for posts.`, {
    hint: `\`bun renown mentions inbound ${id} rotate\` replaces it.`,
  })

async function newAddress(
  ctx: OwnerContext,
  place: Pick<InboundAddressRow, 'id' | 'workspace_id'>,
  isSigned: boolean,
) {
  const { token, hash, last4 } = await ctx.newToken(tokenPrefix)
  const secret = isSigned ? await newWebhookSecret(ctx) : undefined
  const sealed = secret && ctx.outbound.secrets.seal(secret, sealedAt(place))
  return {
    row: {
      id: place.id,
      token_hash: hash,
      token_last4: last4,
      ...(sealed === undefined ? {} : { secret: sealed }),
    },
    shownOnce: {
      address: `${ctx.apiUrl}/in/mentions/${token}`,
      ...(secret === undefined ? {} : { signing_secret: secret }),
    },
  }
}

const shown = ({ tracker_id, token_last4, secret, ...row }: InboundAddressRow) => ({
  tracker_id,
  address_ends_with: token_last4,
  signed: secret !== undefined,
  received_at: row.received_at ?? null,
  posts: row.posts_seen,
  unreadable: row.unread_seen,
  ...(row.unread_reason === undefined ? {} : { unreadable_reason: row.unread_reason }),
})
