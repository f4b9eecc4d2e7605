import { type ProposableChange, type ProposalReads, Refusal, refusedField, requireRow } from 'renown'
import type * as v from 'valibot'
import { postText } from '../content/post-text'
import { Post, type PostRow } from '../records/Post'
import { instantOf } from '../times/wall-time'
import { versionOf } from './edit'
import { publishNow, schedulePost } from './schedule'

const hrefOf = (id: string) => `/app/posts/post?${new URLSearchParams({ post: id })}`

/** Returns all that a post publishes, with its pictures. */
function allOf(post: PostRow): string {
  const media = post.content.media.map(({ format, source_url, alt = '' }) =>
    `With this ${format}: ${source_url} ${alt}`.trim(),
  )
  return [...media, postText(post)].join('\n')
}

/** Returns a post that can be scheduled or published. */
async function waitingPost(ctx: ProposalReads, id: string): Promise<PostRow> {
  const post = await requireRow(ctx.rows(Post), 'post', id)
  if (post.status === 'draft' || post.status === 'scheduled') return post
  throw new Refusal(
    'conflict',
    `The post is ${post.status}. Only drafts and scheduled posts can be proposed.`,
  )
}

export interface Publishing {
  readonly post_id: string
  readonly allow_duplicate?: boolean | undefined
}

/** How an agent proposes to publish a post now. */
export const proposedPublish: ProposableChange<v.GenericSchema<unknown, Publishing>> = {
  label: 'Publish post',
  takes: ['post_id'],
  async prepare(ctx, { post_id }) {
    const post = await waitingPost(ctx, post_id)
    return {
      input: { post_id },
      basis: versionOf(post),
      record: { entity: 'Post', id: post_id },
      title: `Publish a post on ${post.platform}`,
      effect: `Publishes this post on ${post.platform} now:\n${allOf(post)}`,
      href: hrefOf(post_id),
    }
  },
  async run(ctx, { input: { post_id }, basis }) {
    await publishNow(ctx, { post_id, basis })
  },
}

interface Scheduling extends Publishing {
  readonly at: string
  readonly timezone?: string | undefined
  readonly occurrence?: 'earlier' | 'later' | undefined
}

/** How an agent proposes to schedule a post. */
export const proposedSchedule: ProposableChange<v.GenericSchema<unknown, Scheduling>> = {
  label: 'Schedule post',
  takes: ['post_id', 'at', 'timezone'],
  async prepare(ctx, { post_id, at, timezone, occurrence }) {
    const post = await waitingPost(ctx, post_id)
    const zone = timezone ?? post.timezone ?? ctx.workspace.timezone
    const { instant } = instantOf({ wall_time: at, timezone: zone, occurrence })
    if (Date.parse(instant) <= ctx.now().getTime())
      throw refusedField('at', `${at} in ${zone} is in the past.`)
    return {
      input: { post_id, at, timezone: zone, occurrence },
      basis: versionOf(post),
      record: { entity: 'Post', id: post_id },
      title: `Schedule a post on ${post.platform} for ${at}`,
      effect: `Publishes this post on ${post.platform} at ${at}, ${zone}:\n${allOf(post)}`,
      href: hrefOf(post_id),
    }
  },
  async run(ctx, { input: { post_id, at, timezone = 'UTC', occurrence }, basis }) {
    await schedulePost(ctx, { post_id, wall_time: at, timezone, occurrence, basis })
  },
}
