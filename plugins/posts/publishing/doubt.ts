import { nullIfConflict, type OwnerContext, type SystemReads, where } from 'renown'
import type { Doubt } from 'renown/sources'
import { channelOf } from '../content/post-channel'
import type { PostRow } from '../records/Post'
import { type ChannelRow, PostChannel } from '../records/PostChannel'
import { PostedLocation } from '../records/PostedLocation'
import { targetOf } from './destination'

/** A target: the platform on which a location publishes. */
export type DoubtedTarget = Pick<PostRow, 'workspace_id' | 'business_location_id' | 'platform'>

/** What a doubt is about: a post, or a mention that was answered. */
export interface DoubtSubject {
  readonly entity: 'Post' | 'Mention'
  readonly entity_id: string
  /** The version, so that people get one notification about each. */
  readonly revision: number
}

const rowOf = (
  ctx: Pick<SystemReads, 'rows'>,
  { workspace_id, business_location_id, platform }: DoubtedTarget,
) => channelOf(ctx, { workspace_id, id: business_location_id }, platform)

/** Returns why nothing is published to a target now, or null. */
export async function doubtOf(ctx: Pick<SystemReads, 'rows'>, target: DoubtedTarget): Promise<Doubt | null> {
  return (await rowOf(ctx, target))?.in_doubt ?? null
}

/**
 * Puts a target in doubt, because it showed something that Renown cannot explain. Nothing more is sent to it until a look explains
 * it or a person confirms the target. Notifies people once. Can be repeated.
 */
export async function raiseDoubt(
  ctx: OwnerContext,
  target: DoubtedTarget,
  why: string,
  { entity, entity_id, revision }: DoubtSubject,
): Promise<void> {
  const { workspace_id, business_location_id: location_id, platform } = target
  const in_doubt = { since: ctx.now().toISOString(), about: 'posts', why: why.slice(0, 500) }
  const given = { in_doubt, doubt_about_id: entity_id }
  for (;;) {
    const row = await rowOf(ctx, target)
    if (row?.in_doubt !== undefined) break
    if (row) {
      await ctx.rows(PostChannel).update(row.id, given)
      break
    }
    // A platform whose account is connected elsewhere has no row yet.
    const made = { workspace_id, location_id, platform, in_doubt, doubt_about_id: entity_id }
    if (await ctx.rows(PostChannel).insert(made).catch(nullIfConflict)) break
  }
  const location = await ctx.rows(PostedLocation).get(location_id)
  const label = targetOf(ctx, platform)?.label ?? platform
  await ctx.notify({
    workspace_id,
    location_id,
    entity,
    entity_id,
    type: 'post_target_in_doubt',
    severity: 'warning',
    once: `post_doubt ${entity_id} ${revision}`,
    title: `${label} is in doubt${location ? ` for ${location.business_name}` : ''}`,
    body: `${why} Renown sends nothing more there. Look at the account, then confirm it under Posts, Targets.`,
  })
}

/** Ends a doubt that was about this record, because a look or a person has explained it. */
export async function explainDoubt(ctx: OwnerContext, target: DoubtedTarget, id: string): Promise<void> {
  const row = await rowOf(ctx, target)
  if (row?.in_doubt === undefined || row.doubt_about_id !== id) return
  await endDoubt(ctx, row)
}

/** Ends the doubt of a target. */
export async function endDoubt(ctx: OwnerContext, row: ChannelRow): Promise<ChannelRow | null> {
  const isEmpty = row.address === undefined && row.secret === undefined && row.public_id === undefined
  if (!isEmpty || row.account !== undefined) {
    return ctx.rows(PostChannel).update(row.id, { in_doubt: undefined, doubt_about_id: undefined })
  }
  await ctx.rows(PostChannel).removeWhere(where.eq('id', row.id))
  return row
}
