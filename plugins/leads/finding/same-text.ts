/** The texts of a post. */
export interface PostText {
  readonly title?: string | undefined
  readonly body: string
}

const word = /[\p{L}\p{N}]+/gu
/** Characters of scripts without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

const folded = (text: string) => text.normalize('NFKC').toLowerCase()
const wordsOf = (text: string): readonly string[] => folded(text).match(word) ?? []
const textOf = ({ title, body }: PostText) => `${title ?? ''} ${body}`

/** Whether two posts have the same words, whatever their case and punctuation. */
export const hasSameWords = (one: PostText, other: PostText): boolean =>
  wordsOf(textOf(one)).join(' ') === wordsOf(textOf(other)).join(' ')

/** Two people do not write so many equal words by chance, and hardly one question. */
const longWords = 60
const longCharacters = 150

/** Whether a text is so long that nobody writes it twice: an article that others published again. */
export function isLongText(post: PostText): boolean {
  const text = textOf(post)
  return wordsOf(text).length >= longWords || (text.match(unspaced)?.length ?? 0) >= longCharacters
}

/** Texts with fewer different words are alike only if they are the same. */
const alikeWordsMin = 4
const alikePart = 0.6
const titleWordsMin = 3
const titlePart = 0.8

/**
 * Whether two texts at one address can be one post: the same words, or one contains most words of the other, as an
 * excerpt or an edited text does. Titles are left out where both have a text: all comments on a page have its title.
 */
export function isAlike(one: PostText, other: PostText): boolean {
  if (hasSameWords(one, other)) return true
  const hasBodies = one.body !== '' && other.body !== ''
  const text = (post: PostText) => (hasBodies ? post.body : textOf(post))
  return isPartOf(text(one), text(other), alikeWordsMin, alikePart)
}

/** Whether two posts have nearly the same title. */
export const hasSameTitle = (one: PostText, other: PostText): boolean =>
  isPartOf(one.title ?? '', other.title ?? '', titleWordsMin, titlePart)

/** Whether the text with fewer different words shares this part of them with the other. */
function isPartOf(one: string, other: string, wordsMin: number, part: number): boolean {
  const [fewer, more] = [new Set(wordsOf(one)), new Set(wordsOf(other))].toSorted((a, b) => a.size - b.size)
  if (!fewer || !more || fewer.size < wordsMin) return false
  const shared = [...fewer].filter((each) => more.has(each)).length
  return shared >= fewer.size * part
}
