import { PhraseList } from './phrases'
import { comparable } from './tokens'
import ar from './words/ar.json'
import de from './words/de.json'
import en from './words/en.json'
import es from './words/es.json'
import fr from './words/fr.json'
import it from './words/it.json'
import nl from './words/nl.json'
import pl from './words/pl.json'
import pt from './words/pt.json'
import ru from './words/ru.json'
import sv from './words/sv.json'
import tr from './words/tr.json'

/**
 * What a draft may not say unless it is known, in one language, as a speaker of it can read and change it in its file. Each
 * is rows of phrases between commas, see `draftPhrases`. The last four are single words.
 */
interface ClaimWords {
  /** Phrases that hold a word of another list and are harmless as a whole. */
  readonly fine: readonly string[]
  readonly deals: readonly string[]
  readonly guarantees: readonly string[]
  readonly compensation: readonly string[]
  readonly promises: readonly string[]
  readonly admissions: readonly string[]
  readonly rivals: readonly string[]
  readonly disputes: readonly string[]
  readonly ratings: readonly string[]
  readonly law: readonly string[]
  readonly contact: readonly string[]
  readonly times: readonly string[]
  readonly practices: readonly string[]
  /** Certificates, awards, years of experience. */
  readonly credentials: readonly string[]
  readonly private: readonly string[]
  /** Instructions of a machine, and machines that write. */
  readonly machine: readonly string[]
  /** Praise taken up, which does not answer a complaint. */
  readonly glad: readonly string[]
  /** Regret and understanding. */
  readonly care: readonly string[]
  /** Regret that does not answer praise. */
  readonly mismatch: readonly string[]
  /** What numbers count: minutes, euros. */
  readonly units: readonly string[]
  /** Words for numbers, such as `two=2`. */
  readonly numbers: readonly string[]
  /** Titles next to the name of a person. */
  readonly titles: readonly string[]
  /** Words in capitals that name nobody. */
  readonly polite: readonly string[]
}

const written: Readonly<Record<string, ClaimWords>> = { ar, de, en, es, fr, it, nl, pl, pt, ru, sv, tr }

const listNames = [
  'fine',
  'deals',
  'guarantees',
  'compensation',
  'promises',
  'admissions',
  'rivals',
  'disputes',
  'ratings',
  'law',
  'contact',
  'times',
  'practices',
  'credentials',
  'private',
  'machine',
  'glad',
  'care',
  'mismatch',
  'units',
] as const
/** One list of phrases. */
export type ClaimList = (typeof listNames)[number]

/** The words of one language, ready to be compared. */
export interface CompiledWords {
  readonly language: string
  readonly lists: Readonly<Record<ClaimList, PhraseList>>
  readonly numbers: ReadonlyMap<string, string>
  readonly titles: ReadonlySet<string>
  readonly polite: ReadonlySet<string>
}

const compiled = new Map<string, CompiledWords>()

/** Returns the words of a language tag, or null if there are none. */
export function claimWordsOf(tag: string | undefined): CompiledWords | null {
  const language = tag?.split(/[-_]/, 1)[0]?.toLowerCase() ?? ''
  const words = Object.hasOwn(written, language) ? written[language] : undefined
  if (words === undefined) return null
  const known = compiled.get(language) ?? compile(language, words)
  compiled.set(language, known)
  return known
}

function compile(language: string, words: ClaimWords): CompiledWords {
  const single = (rows: readonly string[]) =>
    rows.flatMap((row) => comparable(row, language).split(' ')).filter((word) => word !== '')
  const lists = Object.fromEntries(listNames.map((name) => [name, listOf(name, words[name], language)]))
  return {
    language,
    lists: lists as CompiledWords['lists'],
    numbers: new Map(single(words.numbers).map((pair) => pair.split('=') as [string, string])),
    titles: new Set(single(words.titles)),
    polite: new Set(single(words.polite)),
  }
}

/** Units are words between spaces, all others phrases between commas. */
const listOf = (name: ClaimList, rows: readonly string[], language: string) =>
  new PhraseList(name === 'units' ? rows.map((row) => row.replaceAll(' ', ', ')) : rows, language)
