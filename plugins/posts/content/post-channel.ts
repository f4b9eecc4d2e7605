import { type OwnerContext, type SystemReads, where } from 'renown'
import type { PostPlatform } from '../records/content'
import { type ChannelRow, PostChannel } from '../records/PostChannel'

/** The account, site or receiver that posts of a location are published to. */
export interface PostChannelInfo {
  readonly address: string
  readonly account: string
  /** The decrypted credential. Never log it. */
  readonly secret: string
  readonly public_id: string
}

interface ChannelPlace {
  readonly id: string
  readonly workspace_id: string
}

/** Returns the stored channel of a location on a platform. */
export async function channelOf(
  ctx: Pick<SystemReads, 'rows'>,
  { id, workspace_id }: ChannelPlace,
  platform: PostPlatform,
): Promise<ChannelRow | null> {
  const own = [where.eq('location_id', id), where.eq('platform', platform)]
  const all = where.and(where.eq('workspace_id', workspace_id), ...own)
  const [row] = await ctx.rows(PostChannel).list({ where: all, limit: 1 })
  return row ?? null
}

/** Returns a stored channel with its decrypted credential. */
export function channelInfo(ctx: Pick<OwnerContext, 'outbound'>, row: ChannelRow): PostChannelInfo {
  const { address = '', account = '', public_id = '', secret } = row
  const opened = secret === undefined ? '' : ctx.outbound.secrets.open(secret, sealedAt(row))
  return { address, account, public_id, secret: opened }
}

/** Returns the field that the credential of a channel is encrypted for. */
export const sealedAt = ({ id, workspace_id }: Pick<ChannelRow, 'id' | 'workspace_id'>) => ({
  entity: PostChannel.name,
  workspace_id,
  id,
  field: 'secret',
})
