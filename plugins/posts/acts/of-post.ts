import type { ActAudit, ActRecord } from 'renown'
import * as v from 'valibot'
import { Post, type PostRow } from '../records/Post'
import { PostedLocation, type PostedLocationRow } from '../records/PostedLocation'

/** The post of an act. The page of a post has a parameter `post`, so forms send the id as `id`. */
const onPost: ActRecord<typeof Post> = {
  entity: Post,
  field: 'post_id',
  called: 'post',
  inForms: 'id',
}

/** The version of the post that a form is about, by `versionOf`. */
const seenVersion = { basis: v.optional(v.pipe(v.string(), v.maxLength(100)), '') }

/** What all acts on a post declare. */
export const aboutPost = { on: onPost, seen: seenVersion, refusesDemo: true } as const

/** Returns the audit entry of an act on a post. */
export const postAudit = (
  act: `post_${string}`,
  what: string,
): ActAudit<typeof Post, Record<never, never>> => ({
  action: `location.${act}`,
  what,
  subject: async (ctx, post) =>
    postSubject(await ctx.rows(PostedLocation).get(post.business_location_id), post),
})

/** Returns how audit entries name a post. */
export const postSubject = (
  location: PostedLocationRow | null,
  { id, business_location_id }: Pick<PostRow, 'id' | 'business_location_id'>,
): string => `${location?.business_name ?? business_location_id}: post ${id}`

/** Returns a post as the shell shows it. */
export const shownPost = (post: PostRow) => ({
  post_id: post.id,
  platform: post.platform,
  post_type: post.post_type,
  status: post.status,
  scheduled_at: post.scheduled_at ?? null,
  wall_time: post.wall_time ?? null,
  timezone: post.timezone ?? null,
  published_at: post.published_at ?? null,
  external_url: post.external_url ?? null,
  failure_kind: post.failure_kind ?? null,
  error_message: post.error_message ?? null,
  platform_state: post.platform_state ?? null,
  duplicate_urls: post.duplicate_urls ?? [],
})
