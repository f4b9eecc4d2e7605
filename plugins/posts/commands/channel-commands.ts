import { defineCommand, field, type OwnerContext, where } from 'renown'
import { readSecretFile } from 'renown/sources'
import * as v from 'valibot'
import { confirmTarget, connectChannel, disconnectChannel, renewChannel } from '../acts/channels'
import { postTarget } from '../contract'
import { feedAddress } from '../feed/feed-posts'
import { postPlatforms } from '../records/content'
import { type ChannelRow, PostChannel } from '../records/PostChannel'

const location_id = field.text('Location whose posts are published')
const platform = field.oneOf(postPlatforms, 'Platform')

const channelConnect = defineCommand({
  name: 'post channel connect',
  summary: 'Connect a location with a platform for its posts',
  input: v.strictObject({
    location_id,
    platform,
    address: v.optional(field.text('Address of the server, site or receiver')),
    account: v.optional(field.text('Name or id of the account')),
    secret_file: v.optional(
      field.text('File that contains only the credential. Files leave no trace in the history of a shell'),
    ),
  }),
  async run(ctx, { secret_file, ...given }) {
    const form = { called: 'one line with the credential', isWord: false }
    const secret = secret_file === undefined ? undefined : readSecretFile(secret_file, form)
    const channel = await connectChannel(ctx, { ...given, secret })
    return shown(ctx, channel)
  },
})

const channelDisconnect = defineCommand({
  name: 'post channel disconnect',
  summary: 'Remove the connection of a location with a platform, and its credential',
  input: v.strictObject({ location_id, platform }),
  async run(ctx, given) {
    await disconnectChannel(ctx, given)
    return { ...given, removed: true }
  },
})

const channelConfirm = defineCommand({
  name: 'post channel confirm',
  summary: 'Publish on a platform again that was in doubt, after you looked at the account',
  input: v.strictObject({ location_id, platform }),
  async run(ctx, given) {
    await confirmTarget(ctx, given)
    return { ...given, in_doubt: null }
  },
})

const channelRenew = defineCommand({
  name: 'post channel renew',
  summary: 'Give the feed of a location a new address. The old one no longer works',
  input: v.strictObject({ location_id, platform: v.optional(platform, 'feed') }),
  positional: ['location_id'],
  run: async (ctx, given) => shown(ctx, await renewChannel(ctx, given)),
})

const channelList = defineCommand({
  name: 'post channel list',
  summary: 'List the platforms that posts can be published on, and the connections of a location',
  input: v.strictObject({ location_id }),
  positional: ['location_id'],
  async run(ctx, { location_id: id }) {
    const rows = await ctx.rows(PostChannel).list({ where: where.eq('location_id', id), limit: 100 })
    const targets = ctx.extensions(postTarget).toSorted((a, b) => a.order - b.order)
    return {
      channels: await Promise.all(rows.map((row) => shown(ctx, row))),
      platforms: targets.map(({ platform: name, label, channel }) => ({
        platform: name,
        label,
        needs: needsOf(channel),
      })),
    }
  },
})

const needsOf = (form: Readonly<Record<string, unknown>> | null | object) =>
  form === null
    ? ['an account under Connections']
    : ['address', 'account', 'secret'].filter((name) => name in form)

async function shown(
  ctx: OwnerContext,
  { location_id: id, workspace_id, platform: name, address, account, public_id, in_doubt }: ChannelRow,
) {
  const url = public_id === undefined ? null : await feedAddress(ctx, workspace_id, public_id)
  return {
    location_id: id,
    platform: name,
    address: address ?? null,
    account: account ?? null,
    ...(in_doubt === undefined ? {} : { in_doubt }),
    ...(url === null ? {} : { rss: `${url}/rss.xml`, json_feed: `${url}/feed.json` }),
  }
}

/** The commands of channels. */
export const channelCommands = [channelConnect, channelDisconnect, channelRenew, channelConfirm, channelList]
