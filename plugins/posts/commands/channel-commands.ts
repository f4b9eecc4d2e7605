import { defineCommand, field, where } from 'renown'
import * as v from 'valibot'
import { connectChannel, disconnectChannel } from '../acts/channels'
import { postTarget } from '../contract'
import { postPlatforms } from '../records/content'
import { type ChannelRow, PostChannel } from '../records/PostChannel'
import { readSecret } from './inputs'

const location_id = field.text('Location whose posts are published')
const platform = field.oneOf(postPlatforms, 'Platform')

const channelConnect = defineCommand({
  name: 'post-channel connect',
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
    const channel = await connectChannel(ctx, { ...given, secret: readSecret(secret_file) })
    return shown(channel)
  },
})

const channelDisconnect = defineCommand({
  name: 'post-channel disconnect',
  summary: 'Remove the connection of a location with a platform, and its credential',
  input: v.strictObject({ location_id, platform }),
  async run(ctx, given) {
    await disconnectChannel(ctx, given)
    return { ...given, removed: true }
  },
})

const channelList = defineCommand({
  name: 'post-channel list',
  summary: 'List the platforms that posts can be published on, and the connections of a location',
  input: v.strictObject({ location_id }),
  positional: ['location_id'],
  async run(ctx, { location_id: id }) {
    const rows = await ctx.rows(PostChannel).list({ where: where.eq('location_id', id), limit: 100 })
    const targets = ctx.extensions(postTarget).toSorted((a, b) => a.order - b.order)
    return {
      channels: rows.map(shown),
      platforms: targets.map(({ platform: name, label, channel }) => ({
        ...{ platform: name, label, needs: needsOf(channel) },
      })),
    }
  },
})

const needsOf = (form: Readonly<Record<string, unknown>> | null | object) =>
  form === null
    ? ['an account under Connections']
    : ['address', 'account', 'secret'].filter((name) => name in form)

const shown = ({ location_id: id, platform: name, address, account }: ChannelRow) => ({
  ...{ location_id: id, platform: name, address: address ?? null, account: account ?? null },
})

/** The commands of channels. */
export const channelCommands = [channelConnect, channelDisconnect, channelList]
