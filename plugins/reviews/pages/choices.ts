import type { ListChoices, PageContext } from 'renown/pages'
import { visibleReviews } from '../operations/visible'
import { Review } from '../records/Review'

/**
 * Number of newest reviews that the choices are taken from, so that the page stays fast with any number of
 * reviews.
 */
const lookedAt = 500
const themesMax = 40

/** Returns the languages that occur in reviews, most frequent first. */
export async function languageChoices(ctx: Pick<PageContext, 'rows'>): Promise<ListChoices> {
  const newest = await newestReviews(ctx)
  return byNumber(newest.flatMap(({ review_language }) => review_language ?? [])).map((tag) => [
    tag,
    nameOf(tag),
  ])
}

/** Returns the themes that occur in reviews, most frequent first. */
export async function themeChoices(ctx: Pick<PageContext, 'rows'>): Promise<ListChoices> {
  const newest = await newestReviews(ctx)
  const themes = byNumber(newest.flatMap(({ key_topics }) => key_topics ?? []))
  return themes.slice(0, themesMax).map((theme) => [theme, theme])
}

const newestReviews = (ctx: Pick<PageContext, 'rows'>) =>
  ctx.rows(Review).list({
    where: visibleReviews({}),
    sort: [{ field: 'review_created_at', direction: 'desc' }],
    limit: lookedAt,
    fields: ['review_language', 'key_topics'],
  })

function byNumber(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([value]) => value)
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' })

function nameOf(tag: string): string {
  try {
    return languageNames.of(tag) ?? tag
  } catch {
    // The tag comes from a platform or an address, and may be invalid.
    return tag
  }
}
