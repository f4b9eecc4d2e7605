import { type OwnerContext, where } from 'renown'
import { type PostChannelInfo, type PostDestination, type PostTarget, postTarget } from '../contract'
import type { PostRow } from '../records/Post'
import { type ChannelRow, PostChannel } from '../records/PostChannel'
import type { PostedLocationRow } from '../records/PostedLocation'

/** Where a post goes: its target, and the account there. */
export interface Route {
  readonly target: PostTarget
  readonly destination: PostDestination
}

/** Returns the target of a platform, or null if no loaded plugin provides one. */
export const targetOf = (
  ctx: Pick<OwnerContext, 'extensions'>,
  platform: PostRow['platform'],
): PostTarget | null => ctx.extensions(postTarget).find((one) => one.platform === platform) ?? null

/** Returns the channel of a location on a platform. */
export async function channelOf(
  ctx: Pick<OwnerContext, 'rows'>,
  { id, workspace_id }: Pick<PostedLocationRow, 'id' | 'workspace_id'>,
  platform: PostRow['platform'],
): Promise<ChannelRow | null> {
  const own = [where.eq('location_id', id), where.eq('platform', platform)]
  const all = where.and(where.eq('workspace_id', workspace_id), ...own)
  const [row] = await ctx.rows(PostChannel).list({ where: all, limit: 1 })
  return row ?? null
}

const noChannel: PostChannelInfo = { address: '', account: '', secret: '', public_id: '' }

/** Returns where posts of a location are published on a platform, or why they cannot be. */
export async function routeOf(
  ctx: OwnerContext,
  location: PostedLocationRow,
  platform: PostRow['platform'],
): Promise<Route | { readonly why: string }> {
  const target = targetOf(ctx, platform)
  if (!target) return { why: `No loaded plugin publishes to ${platform}.` }
  const why = target.refusal?.(location) ?? null
  if (why !== null) return { why }
  if (target.channel === null) return { target, destination: { location, channel: noChannel } }
  const row = await channelOf(ctx, location, platform)
  if (!row) return { why: `This location is not connected to ${target.label}. Connect it first.` }
  return { target, destination: { location, channel: infoOf(ctx, row) } }
}

function infoOf(ctx: OwnerContext, row: ChannelRow): PostChannelInfo {
  const { address = '', account = '', public_id = '', secret } = row
  const opened = secret === undefined ? '' : ctx.outbound.secrets.open(secret, sealedAt(row))
  return { address, account, public_id, secret: opened }
}

/** Returns the field that the credential of a channel is encrypted for. */
export const sealedAt = ({ id, workspace_id }: Pick<ChannelRow, 'id' | 'workspace_id'>) => ({
  ...{ entity: PostChannel.name, workspace_id, id, field: 'secret' },
})
