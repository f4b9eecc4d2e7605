import type { DraftGround } from 'renown/sending'
import { originalOf } from '../analysis/translation'
import type { RepliedTo, ReplyingBusiness } from './reply-parties'
import { tokensOf } from './reply-tokens'
import { replyLanguageOf, speechOf } from './safe-phrases'

/**
 * Returns what a reply to a review may rest on: what the business is, and what the review says. What the business offers is no
 * ground, because a reply promises none of it.
 */
export function groundOf(
  review: Pick<RepliedTo, 'review_text' | 'reviewer_name'>,
  { business_name, business_category, city }: ReplyingBusiness,
  language: string,
): DraftGround {
  const said = originalOf(review.review_text)
  return {
    // A name such as Free Drinks Ltd makes no promise true, so what the business is only gives words to repeat.
    facts: [],
    said: [said, review.reviewer_name ?? '', business_name, business_category ?? '', city ?? ''],
    rivals: rivalsIn(said, language),
    languages: [language],
    names: 'all',
  }
}

const nameWordMin = 4

/** Returns the names that a review compares the business with: those after “than” and the like. */
function rivalsIn(said: string, language: string): string[] {
  const listed = replyLanguageOf(language)
  if (listed === null) return []
  const { comparisons, titles } = speechOf(listed)
  const tokens = tokensOf(said, language)
  if (language === 'tr') return tokens.flatMap(({ raw }) => /^(\p{Lu}\p{L}+)'/u.exec(raw)?.[1] ?? [])
  return tokens.flatMap(({ word }, at) => {
    if (!comparisons.has(word) || titles.has(word)) return []
    const name: string[] = []
    for (const { raw, isLast } of tokens.slice(at + 1, at + 5)) {
      if (/^\p{Lu}/u.test(raw)) name.push(raw)
      else if (name.length > 0) break
      if (isLast) break
    }
    return name.length < 2 ? name : [name.join(' '), ...name.filter(({ length }) => length >= nameWordMin)]
  })
}
