import type { FoundPost } from '../sources/source'

/** Words in a row that two texts have in common only if one quotes the other. */
const quotedMin = 5

/** Whether a draft contains a part of a post. Short posts count as quoted when the draft contains all of them. */
export function hasQuote(
  draft: string | undefined,
  { title, body }: Pick<FoundPost, 'title' | 'body'>,
): boolean {
  if (draft === undefined) return false
  const runs = new Set(runsOf(wordsOf(draft), quotedMin))
  const inDraft = ` ${wordsOf(draft).join(' ')} `
  return [title ?? '', body].some((text) => {
    const words = wordsOf(text)
    if (words.length === 0) return false
    if (words.length < quotedMin) return words.length > 1 && inDraft.includes(` ${words.join(' ')} `)
    return runsOf(words, quotedMin).some((run) => runs.has(run))
  })
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const runsOf = (words: readonly string[], length: number): string[] =>
  words
    .slice(0, Math.max(0, words.length - length + 1))
    .map((_, at) => words.slice(at, at + length).join(' '))
