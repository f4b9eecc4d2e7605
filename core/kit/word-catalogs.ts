import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Catalog, Messages, Phrase, RoomWords } from '../contracts/words'

const load = createRequire(import.meta.url)
const catalogs = new Map<string, Catalog>()

/** The file of a language, such as `de.ts` or `pt-BR.ts`. */
const languageFile = /^([a-z]{2,3}(?:-[A-Z][A-Za-z]{1,3})?)\.[jt]s$/

/**
 * Declares the words of a room. `folder` is the folder of its language files: `import.meta.dir` of the file that
 * calls this. Every file there that is named like a language, such as `de.ts`, adds that language. A message that a
 * language lacks is shown in English.
 *
 * Returns a function that makes phrases: `inboxWords('newMentions', { count: 3 })`. Give a room the name that no
 * other room has, because operators see it in the metrics.
 */
export function defineWords<const M extends Messages>(
  room: string,
  folder: string,
  english: M,
): RoomWords<M> {
  const catalog: Catalog<M> = { room, english, translations: translationsIn(room, folder) }
  catalogs.set(room, catalog)
  const words = (key: string, values = {}): Phrase =>
    Object.assign(Object.create(notText), { catalog, key, values })
  return Object.assign(words, { catalog })
}

/** A phrase in a template string would become [object Object], which no type forbids. */
const notText = {
  toString(): never {
    throw new TypeError('A phrase is not a text yet: use englishText, or pass it to the page')
  },
}

function translationsIn(room: string, folder: string): ReadonlyMap<string, Messages> {
  return new Map(
    readdirSync(folder)
      .flatMap((file) => languageFile.exec(file)?.[1] ?? [])
      .filter((lang) => lang !== 'en')
      .toSorted()
      .map((lang) => {
        const { default: messages } = load(join(folder, lang)) as { readonly default?: Messages }
        if (typeof messages !== 'object')
          throw new Error(`The words of ${room} in ${lang} are not the default export of their file`)
        return [lang, messages]
      }),
  )
}

/** Returns the words of every room that is loaded, in the order of their names. */
export const loadedCatalogs = (): readonly Catalog[] =>
  [...catalogs.values()].toSorted((a, b) => (a.room < b.room ? -1 : 1))

/** What a language lacks in a room. */
export interface MissingWords {
  readonly room: string
  readonly language: string
  readonly keys: readonly string[]
}

/** Returns what each language lacks in each room, also if it lacks nothing. A language without a file lacks every key. */
export function missingWords(all: readonly Catalog[] = loadedCatalogs()): readonly MissingWords[] {
  const languages = [...new Set(all.flatMap(({ translations }) => [...translations.keys()]))].toSorted()
  return languages.flatMap((language) =>
    all.map(({ room, english, translations }) => {
      const translated = translations.get(language) ?? {}
      return { room, language, keys: Object.keys(english).filter((key) => translated[key] === undefined) }
    }),
  )
}
