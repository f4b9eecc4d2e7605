import { type Days, groups, isIn, type Row } from './plain'

interface Asked {
  readonly posts: readonly Row[]
  readonly location: Row
  readonly now: Days
  readonly before: Days
  readonly timezone: string
  labelOf(platform: string): string
}

export function postsOf({ posts, location, now, before, timezone, labelOf }: Asked): Row | undefined {
  const own = posts.filter((row) => row.business_location_id === location.id)
  if (own.length === 0) return undefined
  const publishedIn = (days: Days) =>
    own.filter((row) => row.status === 'published' && isIn(row.published_at, days, timezone))
  const failed = own.filter((row) => row.status === 'failed' && isIn(row.updated_date, now, timezone))
  const newest = (rows: readonly Row[], field: string, max: number) =>
    [...rows]
      .sort((a, b) => (a[field] > b[field] ? -1 : 1))
      .slice(0, max)
      .map((row) => row.id)
  return {
    published: publishedIn(now).length,
    previous: publishedIn(before).length,
    by_platform: [...groups(publishedIn(now), (row) => labelOf(row.platform))]
      .map(([platform, rows]) => ({ platform, posts: rows.length }))
      .sort((a, b) => b.posts - a.posts || (a.platform < b.platform ? -1 : 1)),
    latest: newest(publishedIn(now), 'published_at', 10),
    failed: failed.length,
    failures: newest(failed, 'updated_date', 5),
    scheduled: own.filter((row) => row.status === 'scheduled').length,
  }
}
