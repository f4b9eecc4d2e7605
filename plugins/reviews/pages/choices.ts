import type { PageContext } from 'renown/pages'
import { visibleReviews } from '../operations/visible'
import { Review } from '../records/Review'

/**
 * Number of newest reviews that the choices are taken from, so that the page stays fast with any number of
 * reviews.
 */
const lookedAt = 500
const themesMax = 40

type Choice = readonly [value: string, words: string]

/**
 * Languages and themes that occur in reviews, most frequent first. They always include the value in the
 * address.
 */
export interface ReviewChoices {
  readonly languages: readonly Choice[]
  readonly themes: readonly Choice[]
}

/** Reads the choices for the filters of the page of reviews. */
export async function readChoices(
  ctx: Pick<PageContext, 'rows'>,
  asked: { readonly language: string; readonly theme: string },
): Promise<ReviewChoices> {
  const newest = await ctx.rows(Review).list({
    where: visibleReviews({}),
    sort: [{ field: 'review_created_at', direction: 'desc' }],
    limit: lookedAt,
    fields: ['review_language', 'key_topics'],
  })
  const languages = byNumber(newest.flatMap(({ review_language }) => review_language ?? []))
  const themes = byNumber(newest.flatMap(({ key_topics }) => key_topics ?? [])).slice(0, themesMax)
  return {
    languages: withAsked(languages, asked.language).map((tag) => [tag, nameOf(tag)]),
    themes: withAsked(themes, asked.theme).map((theme) => [theme, theme]),
  }
}

function byNumber(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([value]) => value)
}

const withAsked = (values: readonly string[], asked: string): readonly string[] =>
  asked === '' || values.includes(asked) ? values : [...values, asked]

const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' })

function nameOf(tag: string): string {
  try {
    return languageNames.of(tag) ?? tag
  } catch {
    // The tag comes from a platform or an address, and may be invalid.
    return tag
  }
}
