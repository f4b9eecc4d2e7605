import { hourMs, type OwnerContext } from 'renown'
import type { ActFailure } from 'renown/sending'
import { contentFaults } from '../content/checkContent'
import { Post, type PostRow } from '../records/Post'
import { PostedLocation } from '../records/PostedLocation'
import { needsApproval } from '../records/PostRules'
import { type Route, routeOf } from './destination'
import { doubtOf } from './doubt'

/** A post that is later than this is not published, so that nothing appears at night. */
export const lateMs = hourMs

/** Returns where a post goes, or why it must not be published now. Reads everything again. */
export async function judgePost(ctx: OwnerContext, { id, revision }: PostRow): Promise<Route | ActFailure> {
  const post = await ctx.rows(Post).get(id)
  if (post?.status !== 'publishing' || post.revision !== revision) {
    return notAllowed('The post was changed in the meantime.')
  }
  const location = await ctx.rows(PostedLocation).get(post.business_location_id)
  if (!location) return notAllowed('The location of the post no longer exists.')
  if (location.is_demo === true) return notAllowed('The location belongs to the demo.')
  if (location.is_prospect) return notAllowed('The location is a prospect.')
  if (!location.is_active) return notAllowed('The location is paused.')
  if (post.approval === 'in_review') return notAllowed('The client has not approved the post yet.')
  if (post.approval === 'rejected') return notAllowed('The client rejected the post.')
  if (post.approval !== 'approved' && (await needsApproval(ctx, post.workspace_id)))
    return notAllowed('This workspace publishes only approved posts.')
  const late = await lateness(ctx, post)
  if (late !== null) return late
  const route = await routeOf(ctx, location, post.platform)
  if ('why' in route) return notAllowed(route.why)
  const [fault] = contentFaults(post, route.target)
  return fault ? notAllowed(fault.message) : route
}

const notAllowed = (message: string): ActFailure => ({ kind: 'not_allowed', message })

async function lateness(ctx: OwnerContext, post: PostRow): Promise<ActFailure | null> {
  const { scheduled_at, error_message } = post
  const lateBy = ctx.now().getTime() - Date.parse(scheduled_at ?? '')
  if (lateBy <= lateMs) return null
  const doubt = await doubtOf(ctx, post)
  if (doubt !== null) {
    const message = `The target was in doubt for an hour, so Renown did not publish the post. ${doubt.why}`
    return { kind: 'missed', message: message.slice(0, 500) }
  }
  if (error_message !== undefined) {
    return { kind: 'rejected', message: `It did not work for an hour. The last answer: ${error_message}` }
  }
  const message = 'Renown was more than an hour late, so it did not publish the post. Choose a new time.'
  return { kind: 'missed', message }
}
