import { instantsOf, type Period, type ReadContext, where } from 'renown'
import {
  type Block,
  frozenCount as count,
  cutText,
  type Figure,
  plainCountFigure,
  type ReportSection,
} from 'renown/reports'
import { formatCount } from 'renown/web'
import * as v from 'valibot'
import { postTarget } from '../contract'
import { Post, type PostRow } from '../records/Post'

const shown = v.object({
  id: v.string(),
  text: v.string(),
  platform: v.string(),
  url: v.optional(v.string()),
  why: v.optional(v.string()),
})
const data = v.object({
  published: count,
  previous: count,
  by_platform: v.array(v.object({ platform: v.string(), posts: count })),
  latest: v.array(shown),
  failed: count,
  failures: v.array(shown),
  scheduled: count,
})

/** The frozen data about the posts of a period. */
export type PostsData = v.InferOutput<typeof data>

const latestMax = 10
const failuresMax = 5
const textMax = 140

/** Posts of a location: what was published, and what failed. */
export const postsSection: ReportSection<PostsData> = {
  name: 'posts',
  title: 'Posts',
  data,
  definitions: [
    {
      id: 'published_posts@1',
      name: 'Published posts',
      text: 'Posts that a platform accepted on a day of the period, in the time zone of the workspace.',
    },
  ],
  collect: ({ reads }, { location, period, previous }) => readPosts(reads, location.id, { period, previous }),
  headline: (found) => [published(found)],
  blocks: (found) => [
    { kind: 'figures', figures: [published(found)] },
    ...platforms(found),
    ...did(found),
    ...next(found),
  ],
}

async function readPosts(
  reads: ReadContext,
  location_id: string,
  { period, previous }: { readonly period: Period; readonly previous: Period },
): Promise<PostsData | null> {
  const rows = reads.rows(Post)
  const own = where.eq('business_location_id', location_id)
  const [any] = await rows.list({ where: own, limit: 1, fields: ['status'] })
  if (!any) return null
  const within = (field: string, one: Period) => {
    const { from, before } = instantsOf(one, reads.workspace.timezone)
    return [where.gte(field, from), where.lt(field, before)]
  }
  const publishedIn = (one: Period) =>
    where.and(own, where.eq('status', 'published'), ...within('published_at', one))
  // A failed post has no time of its failure: it changed last when it failed, or when people worked on it.
  const failed = where.and(own, where.eq('status', 'failed'), ...within('updated_date', period))
  const labels = new Map(
    reads.extensions(postTarget).map(({ platform, label }) => [platform as string, label]),
  )
  const labelOf = (platform: string) => cutText(labels.get(platform) ?? platform, 60)
  const line = ({ id, content, platform, external_url: url, error_message: why }: PostRow) => ({
    id,
    text: cutText(content.summary, textMax, 'A post without text'),
    platform: labelOf(platform),
    ...(url !== undefined && url.length <= 2_000 && /^https?:\/\//.test(url) ? { url } : {}),
    ...(why === undefined ? {} : { why: cutText(why) }),
  })
  const groups = await rows.group({
    where: publishedIn(period),
    by: ['platform'],
    measures: [{ as: 'n', fn: 'count' }],
  })
  const newest = (field: 'published_at' | 'updated_date', limit: number) => ({
    sort: [{ field, direction: 'desc' as const }],
    limit,
  })
  return {
    published: groups.reduce((sum, { n }) => sum + Number(n), 0),
    previous: await rows.count(publishedIn(previous)),
    by_platform: groups
      .map(({ platform, n }) => ({ platform: labelOf(String(platform)), posts: Number(n) }))
      .sort((a, b) => b.posts - a.posts || (a.platform < b.platform ? -1 : 1)),
    latest: (await rows.list({ where: publishedIn(period), ...newest('published_at', latestMax) })).map(line),
    failed: await rows.count(failed),
    failures: (await rows.list({ where: failed, ...newest('updated_date', failuresMax) })).map(line),
    scheduled: await rows.count(where.and(own, where.eq('status', 'scheduled'))),
  }
}

const published = ({ published: now, previous }: PostsData): Figure =>
  plainCountFigure(
    {
      id: 'posts.published',
      label: 'Published posts',
      better: 'higher',
      evidence: '/app/posts',
      definition: 'published_posts@1',
    },
    now,
    previous,
  )

function platforms({ by_platform: lines }: PostsData): Block[] {
  if (lines.length < 2) return []
  return [
    {
      kind: 'table',
      title: 'By platform',
      columns: [
        { label: 'Platform', type: 'text' },
        { label: 'Posts', type: 'count' },
      ],
      rows: lines.map(({ platform, posts }) => [platform, posts]),
    },
  ]
}

const pageOf = (id: string) => `/app/posts/post?${new URLSearchParams({ post: id })}`

function did({ latest, published: all }: PostsData): Block[] {
  if (latest.length === 0) return []
  const more = all - latest.length
  const items = latest.map(({ id, text, platform, url }) => ({
    text: `Published on ${platform}: ${text}`,
    href: url ?? pageOf(id),
  }))
  const rest = { text: `${formatCount(more, 'more post')} published.`, href: '/app/posts' }
  return [{ kind: 'did', items: [...items, ...(more > 0 ? [rest] : [])] }]
}

function next({ failures, failed, scheduled }: PostsData): Block[] {
  const more = failed - failures.length
  const items = [
    ...failures.map(({ id, text, platform, why }) => ({
      text: `Look at the post that failed on ${platform}: ${text}`,
      href: pageOf(id),
      ...(why === undefined ? {} : { because: why }),
    })),
    ...(more > 0
      ? [{ text: `Look at ${formatCount(more, 'more post')} that failed.`, href: '/app/posts' }]
      : []),
    ...(scheduled > 0 ? [{ text: `${formatCount(scheduled, 'post')} scheduled.`, href: '/app/posts' }] : []),
  ]
  return items.length === 0 ? [] : [{ kind: 'next', items }]
}
