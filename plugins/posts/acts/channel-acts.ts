import { type ActAudit, type ActRecord, defineAct, field, type OwnerContext } from 'renown'
import { Workspace } from 'renown/records'
import * as v from 'valibot'
import { feedAddress } from '../feed/feed-posts'
import { targetOf } from '../publishing/destination'
import { type PostPlatform, postPlatforms } from '../records/content'
import type { ChannelRow } from '../records/PostChannel'
import { PostedLocation } from '../records/PostedLocation'
import { confirmTarget, connectChannel, disconnectChannel, renewChannel } from './channels'
import { setNeedsApproval } from './rules'

const onLocation: ActRecord<typeof PostedLocation> = {
  entity: PostedLocation,
  field: 'location_id',
  called: 'location',
}
const owners = { on: onLocation, only: 'owner', refusesDemo: true } as const
const platform = field.oneOf(postPlatforms, 'Platform')
const line = (description: string) =>
  v.optional(v.pipe(field.text(description), v.trim(), v.maxLength(10_000, 'at most 10,000 characters')))

const audited = (
  act: `post_channel_${string}`,
  done: string,
): ActAudit<typeof PostedLocation, { readonly platform: typeof platform }> => ({
  action: `location.${act}`,
  what: (given, _, ctx) => `${targetOf(ctx, given.platform)?.label ?? given.platform} ${done}`,
  subject: (_, { business_name }) => business_name,
})

/** Returns a channel as the shell shows it. */
export async function shownChannel(
  ctx: OwnerContext,
  { location_id, workspace_id, platform: name, address, account, public_id, in_doubt }: ChannelRow,
) {
  const url = public_id === undefined ? null : await feedAddress(ctx, workspace_id, public_id)
  return {
    location_id,
    platform: name,
    address: address ?? null,
    account: account ?? null,
    ...(in_doubt === undefined ? {} : { in_doubt }),
    ...(url === null ? {} : { rss: `${url}/rss.xml`, json_feed: `${url}/feed.json` }),
  }
}

const connect = defineAct({
  ...owners,
  name: 'post channel connect',
  summary: 'Connect a location with a platform for its posts',
  fields: {
    platform,
    address: line('Address of the server, site or receiver'),
    account: line('Name or id of the account'),
    secret: line('Credential'),
  },
  files: { secret: 'one line with the credential' },
  auth: 'recent',
  label: 'Connect target',
  done: { connected: 'The target is connected.' },
  undo: 'post channel disconnect',
  audit: audited('post_channel_connect', 'connected for posts'),
  run: async (ctx, { row, input }) => ({
    answer: await shownChannel(ctx, await connectChannel(ctx, { location_id: row.id, ...input })),
  }),
})

const disconnect = defineAct({
  ...owners,
  name: 'post channel disconnect',
  summary: 'Remove the connection of a location with a platform, and its credential',
  fields: { platform },
  label: 'Disconnect target',
  done: { disconnected: 'The target is disconnected.' },
  audit: audited('post_channel_remove', 'disconnected for posts'),
  async run(ctx, { row, input }) {
    const given = { location_id: row.id, ...input }
    await disconnectChannel(ctx, given)
    return { answer: { ...given, removed: true } }
  },
})

const renew = defineAct({
  ...owners,
  name: 'post channel renew',
  summary: 'Give the feed of a location a new address. The old one no longer works',
  fields: {
    platform: v.optional(platform, 'feed') as v.GenericSchema<PostPlatform | undefined, PostPlatform>,
  },
  label: 'Renew address',
  done: { renewed: 'The feed has a new address. The old one no longer works.' },
  audit: {
    action: 'location.post_channel_renew',
    what: (given, _, ctx) =>
      `Public address of ${targetOf(ctx, given.platform)?.label ?? given.platform} renewed`,
    subject: (_, { business_name }) => business_name,
  },
  run: async (ctx, { row, input }) => ({
    answer: await shownChannel(ctx, await renewChannel(ctx, { location_id: row.id, ...input })),
  }),
})

const confirm = defineAct({
  ...owners,
  name: 'post channel confirm',
  summary: 'Publish on a platform again that was in doubt, after you looked at the account',
  fields: { platform },
  label: 'Confirm target',
  done: { confirmed: 'The target is confirmed. Renown publishes there again.' },
  audit: audited('post_channel_confirm', 'confirmed for posts'),
  async run(ctx, { row, input }) {
    const given = { location_id: row.id, ...input }
    await confirmTarget(ctx, given)
    return { answer: { ...given, in_doubt: null } }
  },
})

/** What owners do with the targets of a location, by the name of its form. */
export const channelActs = { connect, disconnect, renew, confirm }

/** Sets whether posts need an approval. */
export const requireApproval = defineAct({
  name: 'post approval require',
  summary: 'Set whether a workspace publishes only posts that a client approved',
  on: {
    entity: Workspace,
    field: 'workspace_id',
    called: 'workspace',
    ofPerson: ({ workspace }) => workspace.id,
  },
  fields: { needed: field.oneOf(['on', 'off'], 'Whether posts need an approval') },
  positional: ['needed'],
  only: 'owner',
  refusesDemo: true,
  label: 'Save rule',
  done: 'The rule is saved.',
  audit: {
    action: 'workspace.post_rules',
    what: ({ needed }) => (needed === 'on' ? 'Posts need an approval' : 'Posts need no approval'),
    subject: (_, { name }) => name,
  },
  async run(ctx, { row: { id: workspace_id }, input: { needed } }) {
    const needs_approval = needed === 'on'
    await setNeedsApproval(ctx, { workspace_id, needs_approval })
    return { answer: { workspace_id, needs_approval } }
  },
})
