import type { OwnerContext, SystemReads } from 'renown'
import { channelInfo, channelOf, type PostChannelInfo } from '../content/post-channel'
import { type PostDestination, type PostTarget, postTarget } from '../contract'
import type { PostRow } from '../records/Post'
import type { ChannelRow } from '../records/PostChannel'
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

const noChannel: PostChannelInfo = { address: '', account: '', secret: '', public_id: '' }

/** Returns where posts of a location are published on a platform, or why they cannot be. */
export async function routeOf(
  ctx: OwnerContext,
  location: PostedLocationRow,
  platform: PostRow['platform'],
): Promise<Route | { readonly why: string }> {
  const found = await targetAndChannel(ctx, location, platform)
  if ('why' in found) return found
  const { target, row } = found
  return { target, destination: { location, channel: row ? channelInfo(ctx, row) : noChannel } }
}

/** Like `routeOf`, without the credential of the account. The row is null if the target needs no channel. */
export async function targetAndChannel(
  ctx: Pick<SystemReads, 'rows' | 'extensions'>,
  location: PostedLocationRow,
  platform: PostRow['platform'],
): Promise<{ readonly target: PostTarget; readonly row: ChannelRow | null } | { readonly why: string }> {
  const target = targetOf(ctx, platform)
  if (!target) return { why: `No loaded plugin publishes to ${platform}.` }
  const why = target.refusal?.(location) ?? null
  if (why !== null) return { why }
  if (target.channel === null) return { target, row: null }
  const row = await channelOf(ctx, location, platform)
  if (!row) return { why: `This location is not connected to ${target.label}. Connect it first.` }
  return { target, row }
}
