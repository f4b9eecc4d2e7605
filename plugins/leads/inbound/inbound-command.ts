import {
  actCommands,
  defineAct,
  defineCommand,
  field,
  nullIfConflict,
  type OwnerContext,
  Refusal,
  type Row,
  requireRow,
  where,
} from 'renown'
import { newWebhookSecret } from 'renown/sending'
import * as v from 'valibot'
import { BrandTracker } from '../records/BrandTracker'
import { InboundAddress, type InboundAddressRow } from '../records/InboundAddress'
import { sealedAt } from './receive-mentions'

const hint = '`bun renown mention tracker list` lists them.'
/** Logs and answers never show a text that begins like this. */
const tokenPrefix = 'rnw_in_'

/** Acts on the tracker whose posts other services send. */
const aboutInbound = {
  on: { entity: BrandTracker, field: 'tracker_id', called: 'tracker', hint },
  isShellOnly: true,
} as const
const fields = {
  signed: v.optional(
    field.flag('Accept only messages with a signature of Standard Webhooks. The secret is shown once'),
    false,
  ),
}
const secrets = ['address', 'signing_secret']

const audited = (verb: 'create' | 'rotate' | 'remove', what: string) => ({
  action: `location.mentions_inbound_${verb}` as const,
  what,
  subject: (_: unknown, { name }: Row<typeof BrandTracker>) => name,
})

async function addressOf(ctx: OwnerContext, id: string): Promise<InboundAddressRow> {
  const [known] = await ctx.rows(InboundAddress).list({ where: where.eq('tracker_id', id), limit: 1 })
  if (known) return known
  throw new Refusal('not_found', `The tracker ${id} has no address for posts.`, {
    hint: `\`bun renown mention inbound create ${id}\` creates one.`,
  })
}

/** Creates the address of a tracker for posts that other services send. */
export const createInbound = defineAct({
  ...aboutInbound,
  name: 'mention inbound create',
  summary: 'Create the address to which other services send posts for a tracker',
  fields,
  secrets,
  undo: 'mention inbound remove',
  audit: audited('create', 'Address for posts created'),
  async run(ctx, { row: { id: tracker_id, workspace_id, location_id }, input: { signed } }) {
    if ((await ctx.rows(InboundAddress).count(where.eq('tracker_id', tracker_id))) > 0)
      throw alreadyThere(tracker_id)
    await ctx.requireActive(workspace_id)
    const made = await newAddress(ctx, { id: ctx.newId(InboundAddress), workspace_id }, signed)
    const row = await ctx
      .rows(InboundAddress)
      .insert({ ...made.row, workspace_id, location_id, tracker_id, posts_seen: 0, unread_seen: 0 })
      .catch(nullIfConflict)
    if (!row) throw alreadyThere(tracker_id)
    return { answer: { tracker_id, ...made.shownOnce } }
  },
})

const rotate = defineAct({
  ...aboutInbound,
  name: 'mention inbound rotate',
  summary: 'Replace the address to which other services send posts for a tracker',
  fields,
  secrets,
  audit: audited('rotate', 'Address for posts replaced'),
  async run(ctx, { row: { id: tracker_id, workspace_id }, input: { signed } }) {
    const known = await addressOf(ctx, tracker_id)
    await ctx.requireActive(workspace_id)
    const made = await newAddress(ctx, known, signed || known.secret !== undefined)
    const { id: _, ...changes } = made.row
    const changed = await ctx.rows(InboundAddress).update(known.id, changes)
    if (!changed) throw new Refusal('conflict', 'The address was removed while it was being replaced.')
    return { answer: { tracker_id, ...made.shownOnce } }
  },
})

const remove = defineAct({
  ...aboutInbound,
  name: 'mention inbound remove',
  summary: 'Remove the address to which other services send posts for a tracker',
  audit: audited('remove', 'Address for posts removed'),
  async run(ctx, { row: { id: tracker_id } }) {
    await addressOf(ctx, tracker_id)
    await ctx.rows(InboundAddress).removeWhere(where.eq('tracker_id', tracker_id))
    return { answer: { tracker_id, removed: true } }
  },
})

const show = defineCommand({
  name: 'mention inbound show',
  summary: 'Show the state of the address to which other services send posts for a tracker',
  input: v.strictObject({ tracker_id: field.text('Id of the tracker') }),
  positional: ['tracker_id'],
  async run(ctx, { tracker_id: id }) {
    await requireRow(ctx.rows(BrandTracker), 'tracker', id, hint)
    return shown(await addressOf(ctx, id))
  },
})

/** The commands for the address of a tracker for posts that other services send. */
export const inboundCommands = [show, ...actCommands([createInbound, rotate, remove])]

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
