import { defineCommand, field, nullIfConflict, type OwnerContext, Refusal, requireRow, where } from 'renown'
import { newWebhookSecret } from 'renown/sending'
import * as v from 'valibot'
import { BrandTracker } from '../records/BrandTracker'
import { InboundAddress, type InboundAddressRow } from '../records/InboundAddress'
import { noteTracking } from '../tracking/note-tracking'
import { sealedAt } from './receive-mentions'

const hint = '`bun renown mention tracker list` lists them.'
/** Logs and answers never show a text that begins like this. */
const tokenPrefix = 'rnw_in_'

const tracker_id = field.text('Id of the tracker')
const signed = v.optional(
  field.flag('Accept only messages with a signature of Standard Webhooks. The secret is shown once'),
  false,
)
const secrets = ['address', 'signing_secret']
const positional = ['tracker_id']

const trackerOf = (ctx: OwnerContext, id: string) => requireRow(ctx.rows(BrandTracker), 'tracker', id, hint)

async function addressOf(ctx: OwnerContext, id: string): Promise<InboundAddressRow> {
  const [known] = await ctx.rows(InboundAddress).list({ where: where.eq('tracker_id', id), limit: 1 })
  if (known) return known
  throw new Refusal('not_found', `The tracker ${id} has no address for posts.`, {
    hint: `\`bun renown mention inbound create ${id}\` creates one.`,
  })
}

/** Creates the address of a tracker for posts that other services send. */
export const createInbound = defineCommand({
  name: 'mention inbound create',
  summary: 'Create the address to which other services send posts for a tracker',
  input: v.strictObject({ tracker_id, signed }),
  positional,
  secrets,
  async run(ctx, { tracker_id: id, signed: isSigned }) {
    const tracker = await trackerOf(ctx, id)
    const ofTracker = where.eq('tracker_id', id)
    if ((await ctx.rows(InboundAddress).count(ofTracker)) > 0) throw alreadyThere(id)
    const { workspace_id, location_id } = tracker
    await ctx.requireActive(workspace_id)
    const made = await newAddress(ctx, { id: ctx.newId(InboundAddress), workspace_id }, isSigned)
    const row = await ctx
      .rows(InboundAddress)
      .insert({ ...made.row, workspace_id, location_id, tracker_id: id, posts_seen: 0, unread_seen: 0 })
      .catch(nullIfConflict)
    if (!row) throw alreadyThere(id)
    await noteTracking(ctx, tracker, 'inbound_create')
    return { tracker_id: id, ...made.shownOnce }
  },
})

const rotate = defineCommand({
  name: 'mention inbound rotate',
  summary: 'Replace the address to which other services send posts for a tracker',
  input: v.strictObject({ tracker_id, signed }),
  positional,
  secrets,
  async run(ctx, { tracker_id: id, signed: isSigned }) {
    const tracker = await trackerOf(ctx, id)
    const known = await addressOf(ctx, id)
    await ctx.requireActive(tracker.workspace_id)
    const made = await newAddress(ctx, known, isSigned || known.secret !== undefined)
    const { id: _, ...changes } = made.row
    const changed = await ctx.rows(InboundAddress).update(known.id, changes)
    if (!changed) throw new Refusal('conflict', 'The address was removed while it was being replaced.')
    await noteTracking(ctx, tracker, 'inbound_rotate')
    return { tracker_id: id, ...made.shownOnce }
  },
})

const remove = defineCommand({
  name: 'mention inbound remove',
  summary: 'Remove the address to which other services send posts for a tracker',
  input: v.strictObject({ tracker_id }),
  positional,
  async run(ctx, { tracker_id: id }) {
    const tracker = await trackerOf(ctx, id)
    await addressOf(ctx, id)
    await ctx.rows(InboundAddress).removeWhere(where.eq('tracker_id', id))
    await noteTracking(ctx, tracker, 'inbound_remove')
    return { tracker_id: id, removed: true }
  },
})

const show = defineCommand({
  name: 'mention inbound show',
  summary: 'Show the state of the address to which other services send posts for a tracker',
  input: v.strictObject({ tracker_id }),
  positional,
  async run(ctx, { tracker_id: id }) {
    await trackerOf(ctx, id)
    return shown(await addressOf(ctx, id))
  },
})

/** The commands for the address of a tracker for posts that other services send. */
export const inboundCommands = [createInbound, rotate, remove, show]

const alreadyThere = (id: string) =>
  new Refusal('conflict', `The tracker ${id} has an address for posts.`, {
    hint: `\`bun renown mention inbound rotate ${id}\` replaces it.`,
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
