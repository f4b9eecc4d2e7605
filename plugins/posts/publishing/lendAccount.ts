import { ServiceFault } from 'renown'
import { channelInfo, channelOf } from '../content/post-channel'
import type { PostAccounts } from '../contract'
import { PostedLocation } from '../records/PostedLocation'
import { targetOf } from './destination'
import { explainDoubt, raiseDoubt } from './doubt'

/** Lends the accounts of posts to the target of their platform, so that people can answer mentions with them. */
export const accountLender: PostAccounts = {
  name: 'posts',
  async accountOf(ctx, location, platform) {
    const row = await channelOf(ctx, location, platform)
    if (!row) return null
    const { address = '', account = '', secret = '', in_doubt } = row
    const id = new Bun.CryptoHasher('sha256').update(JSON.stringify([address, account, secret]))
    const name = [account, URL.parse(address)?.host].filter(Boolean).join(' on ')
    return {
      id: id.digest('hex').slice(0, 24),
      name,
      ...(in_doubt === undefined ? {} : { in_doubt: in_doubt.why }),
    }
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
  async raiseDoubt(ctx, { id, workspace_id }, platform, { why, mention_id, revision }) {
    const target = { workspace_id, business_location_id: id, platform }
    await raiseDoubt(ctx, target, why, { entity: 'Mention', entity_id: mention_id, revision })
  },
  explainDoubt: (ctx, { id, workspace_id }, platform, mention_id) =>
    explainDoubt(ctx, { workspace_id, business_location_id: id, platform }, mention_id),
}
