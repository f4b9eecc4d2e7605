import { plainOf, type Word } from './read-text'

/** Where an entry of a list occurs: the words from `at` to before `to`. */
export interface ListHit {
  readonly at: number
  readonly to: number
  /** The entry that was found. */
  readonly key: string
}

interface Entry {
  readonly key: string
  /** The words of a phrase. */
  readonly words: readonly string[]
  /** Whether the last word may go on. */
  readonly isStem: boolean
}

/** The lists of a language, by name. Each is a row of words and phrases between commas. */
export type WordLists = Readonly<Record<string, string>>

/** Finds the entries of several lists in the words of a text. */
export interface ListFinder {
  readonly find: (
    words: readonly Word[],
    isSkipped?: (key: string) => boolean,
  ) => ReadonlyMap<string, readonly ListHit[]>
  /** Names of the lists that have a word of its own for it. */
  readonly listsOf: (plain: string) => readonly string[]
}

/** How words of a list may differ from those of a text. */
export interface ListForm {
  /** Letters that may follow an entry that is not marked. 0: none. */
  readonly endingMax: number
  /** Whether an entry may be the end of a longer word, as in German. */
  readonly isCompound?: boolean
  /** Letters that a word may have before the entry, as the Arabic article. */
  readonly prefixes?: readonly string[]
}

const stemMin = 4
const compoundMin = 5

/** Returns a finder for the lists of a language. */
export function createListFinder(lists: WordLists, form: ListForm): ListFinder {
  const entries = new Map<string, { name: string; entry: Entry }[]>()
  for (const [name, row] of Object.entries(lists)) {
    for (const written of row.split(',')) {
      const entry = entryOf(name, written.trim(), form)
      const [first] = entry.words
      if (first === undefined) continue
      const known = entries.get(first)
      if (known) known.push({ name, entry })
      else entries.set(first, [{ name, entry }])
    }
  }
  const of = (key: string) => entries.get(key) ?? []
  const candidates = (plain: string) => {
    const found = of(plain).slice()
    for (const word of [plain, ...withoutPrefixes(plain, form.prefixes ?? [])]) {
      if (word !== plain) found.push(...of(word))
      for (let length = 3; length < word.length; length++) {
        const rest = word.length - length
        for (const one of of(word.slice(0, length))) {
          const isLast = one.entry.words.length === 1
          if (isLast && one.entry.isStem && rest <= endingOf(length, form.endingMax, one.entry))
            found.push(one)
        }
      }
    }
    if (form.isCompound === true) {
      for (let start = 2; plain.length - start >= compoundMin; start++) {
        for (const one of of(plain.slice(start))) {
          if (one.entry.words.length === 1 && one.entry.isStem) found.push(one)
        }
      }
    }
    return found
  }
  return {
    listsOf: (plain) => [
      ...new Set(
        candidates(plain)
          .filter(({ entry }) => entry.words.length === 1)
          .map(({ name }) => name),
      ),
    ],
    find(words, isSkipped) {
      const hits = new Map<string, ListHit[]>()
      for (const [at, word] of words.entries()) {
        for (const { name, entry } of candidates(word.plain)) {
          const to = at + entry.words.length
          if (!continues(words, at, entry) || isSkipped?.(entry.key) === true) continue
          const known = hits.get(name)
          if (!known) hits.set(name, [{ at, to, key: entry.key }])
          else if (known.at(-1)?.at !== at) known.push({ at, to, key: entry.key })
        }
      }
      return hits
    },
  }
}

function entryOf(name: string, written: string, { endingMax }: ListForm): Entry {
  const isExact = written.startsWith('=')
  const isMarked = written.endsWith('*')
  const words = [...written.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(([word]) => plainOf(word))
  return { key: `${name}:${words.join(' ')}`, words, isStem: isMarked || (endingMax > 0 && !isExact) }
}

/** A short stem may be followed by few letters, otherwise it is the beginning of another word. */
const endingOf = (length: number, endingMax: number, { isStem }: Entry) =>
  !isStem ? 0 : endingMax === 0 ? 5 : length < stemMin ? 2 : endingMax

function withoutPrefixes(plain: string, prefixes: readonly string[]): string[] {
  return prefixes
    .filter((prefix) => plain.startsWith(prefix) && plain.length - prefix.length >= 3)
    .map((prefix) => plain.slice(prefix.length))
}

const continues = (words: readonly Word[], at: number, { words: phrase, isStem }: Entry) =>
  phrase.every((part, n) => {
    if (n === 0) return true
    const word = words[at + n]
    if (!word) return false
    return (
      word.plain === part ||
      (isStem &&
        n === phrase.length - 1 &&
        word.plain.startsWith(part) &&
        word.plain.length - part.length <= 5)
    )
  })
