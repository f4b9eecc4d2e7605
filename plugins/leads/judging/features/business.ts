import type { JudgedLocation } from '../judgement'
import { judgedLanguages, languageWords } from './languages'
import { type Word, wordsOf } from './read-text'

/** What the words of a post are compared with. */
export interface Business {
  /** The words of the name in their order. */
  readonly name: readonly string[]
  /** The name without words that say what the business is, such as `plumbing`. The whole name if nothing remains. */
  readonly core: readonly string[]
  /** The topics of its trade, such as `bakery`. Empty: its category is unknown. */
  readonly trades: ReadonlySet<string>
  /** The words of its category and services. */
  readonly own: ReadonlySet<string>
  readonly town: readonly string[]
}

/** Topics that are no trade. */
export const otherTopics = [
  'cooking',
  'animals',
  'plants',
  'sport',
  'media',
  'politics',
  'religion',
  'traffic',
  'tech',
  'finance',
  'games',
  'family',
  'language',
  'sea',
  'style',
  'tools',
  'nature',
  'body',
] as const

/** Whether a topic is a trade. */
export const isTrade = (topic: string): boolean => !(otherTopics as readonly string[]).includes(topic)

const ownMin = 4
const joining = new Set(
  [
    'the, and, und, et, y, e, en, i, ve, и, de, la, le, el, los, las, di, d, du, da, het, am, at, co, il, lo, van, aan',
  ].flatMap((row) => row.split(', ')),
)
/** A topic belongs to the trade if it has this share of the words of the first one. */
const tradeShare = 0.6

/** Businesses that were read. The posts of one come together. */
const read = new Map<string, Business>()
const readMax = 500

/** Returns the name, trade and town of a business in the form that posts are compared with. */
export function readBusiness(location: JudgedLocation): Business {
  const key = JSON.stringify([location.business_name, location.business_category, location.city])
  const known = read.get(key)
  if (known) return known
  if (read.size >= readMax) read.clear()
  const business = businessOf(location)
  read.set(key, business)
  return business
}

function businessOf(location: JudgedLocation): Business {
  const plain = (text: string | null | undefined) => wordsOf(text ?? '').map((word) => word.plain)
  const name = plain(location.business_name)
  const category = wordsOf(location.business_category ?? '')
  const trades = tradesOf(category)
  const own = new Set(category.map((word) => word.plain).filter((word) => word.length >= ownMin))
  const town = plain(location.city)
  const says = (word: string) =>
    own.has(word) ||
    judgedLanguages.some((language) =>
      languageWords(language)
        .topics.listsOf(word)
        .some((topic) => trades.has(topic)),
    )
  const core = name.filter((word) => !joining.has(word) && !town.includes(word) && !says(word))
  return { name, core: core.length > 0 ? core : name, trades, own, town }
}

/** The trades that most words of a category speak of, in the language that knows it best. */
function tradesOf(category: readonly Word[]): ReadonlySet<string> {
  const points = new Map<string, number>()
  for (const language of judgedLanguages) {
    for (const [topic, hits] of languageWords(language).topics.find(category)) {
      if (isTrade(topic)) points.set(topic, Math.max(points.get(topic) ?? 0, hits.length))
    }
  }
  const most = Math.max(0, ...points.values())
  return new Set([...points].filter(([, count]) => count >= most * tradeShare).map(([topic]) => topic))
}

/** Returns whether two words are one in another form: a long common beginning and short endings. */
export function isFormOf(word: string, of: string, endingMax: number): boolean {
  if (word === of) return true
  const beginning = Math.max(3, of.length - 2)
  if (word.length < beginning || word.length > of.length + endingMax) return false
  return word.slice(0, beginning) === of.slice(0, beginning)
}
