import { isRefusal, Refusal, refusedField, requireRow } from 'renown'
import {
  type ChangeOutcome,
  type PreparedChange,
  type ProposalReads,
  type QueuedChange,
  visible,
} from 'renown/pages'
import { postText, textHash } from '../content/post-text'
import { Post, type PostRow } from '../records/Post'
import { PostedLocation } from '../records/PostedLocation'
import { instantOf, type PlannedTime } from '../times/wall-time'
import { checkPublishable } from './check-publishable'
import { duplicateOf } from './duplicates'
import { refuseSample, versionOf } from './edit'

const hrefOf = (id: string) => `/app/posts/post?${new URLSearchParams({ post: id })}`

/** Returns all that a post publishes, with its pictures. */
function allOf(post: PostRow): string {
  const media = post.content.media.map(({ format, source_url, alt = '' }) =>
    `With this ${format}: ${source_url} ${alt}`.trim(),
  )
  return [...media, postText(post)].join('\n')
}

interface Publishable {
  readonly post: PostRow
  /** The platform and the business, as people read them. */
  readonly to: string
}

/** A name with line breaks could pretend to be a part of the post. */
const inOneLine = (name: string) => visible(name).replace(/\s+/g, ' ').trim().slice(0, 200)

/** Returns a post that can be scheduled or published now. */
async function publishablePost(ctx: ProposalReads, id: string): Promise<Publishable> {
  const post = await requireRow(ctx.rows(Post), 'post', id)
  if (post.status !== 'draft' && post.status !== 'scheduled')
    throw new Refusal(
      'conflict',
      `The post is ${post.status}. Only drafts and scheduled posts can be proposed.`,
    )
  const location = await requireRow(ctx.rows(PostedLocation), 'location', post.business_location_id)
  refuseSample(location)
  await checkPublishable(ctx, post, location)
  const other = await duplicateOf(ctx, post, ctx.now())
  if (!other) return { post, to: `${post.platform} for ${inOneLine(location.business_name)}` }
  const message = `Post ${other.id} has the same text on the same platform and is ${other.status}.`
  throw new Refusal('conflict', message)
}

/** Like `instantOf`, for the field `at`. */
function instantAt(at: string, timezone: string, occurrence: Scheduling['occurrence']): PlannedTime {
  try {
    return instantOf({ wall_time: at, timezone, occurrence })
  } catch (error) {
    throw isRefusal(error) ? refusedField('at', error.message.replace('wall_time', 'at')) : error
  }
}

/** Returns how far a post is that a person approved with this text. */
export async function proposedOutcome(
  ctx: ProposalReads,
  { record, act }: Pick<QueuedChange<unknown>, 'record' | 'act'>,
): Promise<ChangeOutcome> {
  const post = await ctx.rows(Post).get(record.id)
  if (!post) return { state: 'unknown', why: 'The post no longer exists.' }
  if (textHash(post) !== act)
    return { state: 'failed', why: 'A person changed the text of the post after it was approved.' }
  const { status, failure_kind, error_message, wall_time, timezone } = post
  if (status === 'published') return { state: 'done' }
  if (status === 'publishing') return { state: 'queued' }
  if (status === 'scheduled')
    return wall_time === undefined
      ? { state: 'queued' }
      : { state: 'queued', why: `The post is scheduled for ${wall_time}, ${timezone ?? 'UTC'}.` }
  if (status === 'draft')
    return { state: 'failed', why: 'A person returned the post to the drafts before it was published.' }
  if (status === 'cancelled') return { state: 'failed', why: 'A person cancelled the post.' }
  if (failure_kind === 'unknown_outcome' || failure_kind === 'held_by_platform')
    return {
      state: 'unknown',
      why: 'Nobody can prove whether the post was published. A person decides that at the post.',
    }
  return { state: 'failed', why: error_message ?? 'The post was not published.' }
}

/** Returns the version of the post that the person who approved saw. */
export const seenBasis = (basis: string) => ({ basis })

/** Prepares to publish a post now. */
export async function preparePublish(
  ctx: ProposalReads,
  given: Readonly<Record<string, unknown>>,
): Promise<PreparedChange<Record<string, unknown>>> {
  const post_id = String(given.post_id)
  const { post, to } = await publishablePost(ctx, post_id)
  return {
    input: { post_id },
    basis: versionOf(post),
    record: { entity: 'Post', id: post_id },
    title: `Publish a post on ${post.platform}`,
    effect: `Publishes this post on ${to} now:\n${allOf(post)}`,
    href: hrefOf(post_id),
  }
}

/** When an agent proposes to publish a post. */
interface Scheduling extends Readonly<Record<string, unknown>> {
  readonly at: string
  readonly timezone?: string | undefined
  readonly occurrence?: 'earlier' | 'later' | undefined
}

/** Prepares to schedule a post. */
export async function prepareSchedule(
  ctx: ProposalReads,
  { at, timezone, occurrence, ...given }: Scheduling,
): Promise<PreparedChange<Record<string, unknown>>> {
  const post_id = String(given.post_id)
  const { post, to } = await publishablePost(ctx, post_id)
  const zone = timezone ?? post.timezone ?? ctx.workspace.timezone
  const { instant, notice } = instantAt(at, zone, occurrence)
  if (Date.parse(instant) <= ctx.now().getTime()) throw refusedField('at', `${at} in ${zone} is in the past.`)
  return {
    input: { post_id, at, timezone: zone, occurrence },
    basis: versionOf(post),
    record: { entity: 'Post', id: post_id },
    title: `Schedule a post on ${post.platform} for ${at}`,
    effect: `Publishes this post on ${to} at ${at}, ${zone}${notice === undefined ? '' : ` (${notice})`}:\n${allOf(post)}`,
    href: hrefOf(post_id),
  }
}
