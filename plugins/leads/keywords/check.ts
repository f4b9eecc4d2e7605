import { KeywordFault, type KeywordRole, keywordLimits } from './node'
import { parseKeyword } from './parse'
import type { KeywordLists } from './terms'

/** A mistake in one keyword of a list, for forms and operations. */
export interface KeywordMistake {
  readonly field: KeywordRole
  /** Position in the list. */
  readonly index: number
  readonly keyword: string
  /** What to write instead. */
  readonly message: string
  /** First character of the mistake in the keyword, and its length. */
  readonly at: number
  readonly length: number
}

/** Returns every mistake in the keyword lists of a tracker. Empty if the lists can be used. */
export function checkKeywords(lists: KeywordLists): KeywordMistake[] {
  const mistakes = (['keywords', 'required_keywords', 'excluded_keywords'] as const).flatMap((field) =>
    listMistakes(field, lists[field]),
  )
  if (lists.keywords.length > 0) return mistakes
  const message = 'Add at least one keyword'
  return [{ field: 'keywords', index: 0, keyword: '', message, at: 0, length: 0 }, ...mistakes]
}

function listMistakes(field: KeywordRole, list: readonly string[]): KeywordMistake[] {
  const { perListMax } = keywordLimits
  const found = list.slice(0, perListMax).flatMap((keyword, index) => {
    try {
      parseKeyword(keyword, field)
      return []
    } catch (fault) {
      if (!(fault instanceof KeywordFault)) throw fault
      const { message, at, length } = fault
      return [{ field, index, keyword, message, at, length }]
    }
  })
  if (list.length <= perListMax) return found
  const message = `A list has at most ${perListMax} keywords`
  const keyword = list[perListMax] ?? ''
  return [...found, { field, index: perListMax, keyword, message, at: 0, length: keyword.length }]
}

/** Returns advice on a valid keyword that probably does not mean what its author thinks. Empty if there is none. */
export function keywordAdvice(keyword: string): string[] {
  const bare = keyword.replace(/"[^"]{0,500}"/g, ' ')
  const small = /(?<!\S)(and|or|not)(?!\S)/.exec(bare)?.[1]
  const advice: string[] = []
  if (small !== undefined) {
    advice.push(
      `“${small}” in small letters is a word that posts must contain. Write ${small.toUpperCase()} or use quotation marks.`,
    )
  }
  const words = keyword.trim().split(/\s+/)
  const isPlain =
    words.length > 1 &&
    words.every((word) => /^[\p{L}\p{N}'’.&+-]+$/u.test(word) && !/^(?:AND|OR|NOT|-)/.test(word))
  if (isPlain && small === undefined) {
    advice.push(
      `Posts match that contain these ${words.length} words anywhere. For the exact phrase, write "${words.join(' ')}".`,
    )
  }
  return advice
}
