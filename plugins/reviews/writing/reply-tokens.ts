/** A word of a text. */
export interface Token {
  /** In lower case, as in the word lists. */
  readonly word: string
  readonly raw: string
  /** Whether a comma, a bracket or the end of the sentence follows. */
  readonly isLast: boolean
}

/** Replaces the name of the business in a text. */
export const businessMark = '\uE000'

const joined = /[\p{L}\p{M}\p{N}\uE000]+(?:['’-][\p{L}\p{M}\p{N}\uE000]+)*['’]?/gu
/** Languages that join short words to the next one with an apostrophe. */
const eliding = new Set(['fr', 'it'])

/** Returns the lower-case words of a text. Hyphens separate words. */
export function tokensOf(text: string, language: string): readonly Token[] {
  const tokens: Token[] = []
  for (const match of text.normalize('NFC').matchAll(joined)) {
    const after = text.normalize('NFC').slice(match.index + match[0].length)
    const isLast = /^\s*($|[,;:.!?)…])/.test(after)
    const whole = match[0].replaceAll('’', "'")
    const parts = whole.split(eliding.has(language) ? /(?<=')|-/ : /-/)
    parts.forEach((part, at) => {
      const raw = eliding.has(language) ? part : part.replace(/'$/, '')
      tokens.push({ raw, word: lower(raw, language), isLast: isLast && at === parts.length - 1 })
    })
  }
  return tokens
}

const lower = (text: string, language: string) =>
  language === 'tr' ? text.toLocaleLowerCase('tr') : text.toLowerCase()

/** Returns the sentences of a text. A greeting on its own line counts as one. */
export const sentencesOf = (text: string): readonly string[] =>
  text
    .split(/[.!?…;؟؛\n]+|:(?=\s|$)/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}\uE000]/u.test(sentence))

const friendly = /😊|🙂|😃|😄|🙏|🤗|🌟|✨|⭐|💛|🧡|💚|💙|💜|🥰|👍|☺️|☺|❤️|❤|♥️|♥/gu
const marks = `\\p{M}\\s\\d.,!?¡¿;:'’"„“”«»()…–—\\uE000-`
const allowed = new RegExp(`^[\\p{Script=Latin}${marks}]*$`, 'u')
/** Languages of other scripts. Their texts hold no Latin letter, so that none can pass for another. */
const otherScripts: Readonly<Record<string, RegExp>> = {
  ru: new RegExp(`^[\\p{Script=Cyrillic}№${marks}]*$`, 'u'),
  ar: new RegExp(`^[\\p{Script=Arabic}،؛؟٠-٩${marks}]*$`, 'u'),
}
/** Matches a dot, comma or colon inside a word, or two words joined by anything else. */
const glued = /[\p{L}\p{N}\uE000][.,:;!?…][\p{L}\p{N}\uE000]/u

/**
 * Returns why the characters of a text are not allowed, or null if they are. Ignores the few allowed emoji.
 */
export function strangeCharacters(text: string, language: string): string | null {
  const bare = text.replace(friendly, '')
  if (/[\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(bare.replaceAll(/[\n\r\t]/g, ''))) {
    return 'it contains invisible characters'
  }
  if (!(otherScripts[language] ?? allowed).test(bare))
    return 'it contains characters other than letters of one script and plain punctuation'
  return glued.test(bare) ? 'it contains something like a link' : null
}

/** Returns a text without the allowed emoji. */
export const withoutPictures = (text: string): string => text.replace(friendly, ' ')
