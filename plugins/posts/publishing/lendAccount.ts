import { ServiceFault } from 'renown'
import { channelInfo, channelOf } from '../content/post-channel'
import type { PostAccounts } from '../contract'
import { PostedLocation } from '../records/PostedLocation'
import { targetOf } from './destination'

/** Lends the accounts of posts to the target of their platform, so that people can answer mentions with them. */
export const accountLender: PostAccounts = {
  name: 'posts',
  async accountOf(ctx, location, platform) {
    const row = await channelOf(ctx, location, platform)
    if (!row) return null
    const { address = '', account = '', secret = '' } = row
    const id = new Bun.CryptoHasher('sha256').update(JSON.stringify([address, account, secret]))
    const name = [account, URL.parse(address)?.host].filter(Boolean).join(' on ')
    return { id: id.digest('hex').slice(0, 24), name }
  },
  async openThread(ctx, { id }, platform, post) {
    const target = targetOf(ctx, platform)
    const location = await ctx.rows(PostedLocation).get(id)
    const row = location && (await channelOf(ctx, location, platform))
    if (!target?.openThread || !row) {
      throw new ServiceFault('unsupported', `The location is not connected to ${target?.label ?? platform}.`)
    }
    return target.openThread(ctx, { location, channel: channelInfo(ctx, row) }, post)
  },
}
