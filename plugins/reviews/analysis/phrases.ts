/** Tests one word of a text. */
export type TokenTest = (token: string) => boolean

/** A phrase of a list, prepared for comparison, with what it stands for. */
interface Phrase<Of> {
  readonly tokens: readonly TokenTest[]
  readonly of: Of
}

/** Finds phrases in the words of a text. */
export interface PhraseFinder<Of> {
  /** Calls back for each phrase that begins at a word. */
  at(tokens: readonly string[], at: number, found: (of: Of, length: number) => void): void
  /** Whether a phrase begins at a word. */
  has(tokens: readonly string[], at: number): boolean
}

/**
 * Prepares phrases for lookup. An entry is one word, or several in a row. `*` means any letters at that end, `|` separates
 * alternatives, `#` means a number of one or two digits.
 */
export function phraseFinder<Of>(entries: readonly (readonly [entry: string, of: Of])[]): PhraseFinder<Of> {
  const whole = new Map<string, Phrase<Of>[]>()
  const begun = new Map<string, (Phrase<Of> & { readonly start: string })[]>()
  const anywhere: Phrase<Of>[] = []
  for (const [entry, of] of entries) {
    const words = entry.split(' ')
    const phrase = { tokens: words.map(tokenTest), of }
    for (const one of new Set((words[0] ?? '').split('|'))) {
      if (one === '#' || one.startsWith('*')) anywhere.push(phrase)
      else if (one.endsWith('*'))
        put(begun, one.slice(0, startLetters), { ...phrase, start: one.slice(0, -1) })
      else put(whole, one, phrase)
    }
  }
  const each: PhraseFinder<Of>['at'] = (tokens, at, found) => {
    const token = tokens[at] ?? ''
    for (const phrase of [...(whole.get(token) ?? []), ...anywhere]) {
      if (isAt(phrase, tokens, at)) found(phrase.of, phrase.tokens.length)
    }
    for (const phrase of begun.get(token.slice(0, startLetters)) ?? []) {
      if (token.startsWith(phrase.start) && isAt(phrase, tokens, at)) found(phrase.of, phrase.tokens.length)
    }
  }
  return {
    at: each,
    has: (tokens, at) => {
      let isFound = false
      each(tokens, at, () => {
        isFound = true
      })
      return isFound
    },
  }
}

/** Stems have at least so many letters. */
const startLetters = 2

function put<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const own = lists.get(key) ?? []
  own.push(value)
  lists.set(key, own)
}

const isAt = <Of>({ tokens }: Phrase<Of>, words: readonly string[], at: number): boolean =>
  tokens.every((test, n) => test(words[at + n] ?? ''))

/** Prepares one word of an entry for comparison. */
export function tokenTest(word: string): TokenTest {
  const tests = word.split('|').map(oneTest)
  const [only] = tests
  return tests.length === 1 && only ? only : (token) => tests.some((test) => test(token))
}

function oneTest(word: string): TokenTest {
  if (word === '#') return (token) => /^\d{1,2}$/.test(token)
  const core = word.replace(/^\*|\*$/g, '')
  const isOpenBefore = word.startsWith('*')
  const isOpenBehind = word.endsWith('*')
  if (isOpenBefore && isOpenBehind) return (token) => token.includes(core)
  if (isOpenBefore) return (token) => token.endsWith(core)
  return isOpenBehind ? (token) => token.startsWith(core) : (token) => token === core
}
