import { type Business, isTrade, otherTopics } from './business'
import { type SetFeature, weightOf } from './feature'
import type { NameHit } from './find-name'
import type { ReadPost } from './read-post'
import type { ListHit } from './word-list'

/** Words between which a word counts as near the name. */
const nearWords = 8
const startMin = 6

/** Whether a word is one of the category of the business, in another form. */
export const isOwnWord = (plain: string, { own }: Business): boolean =>
  own.has(plain) || [...own].some((word) => word.length >= startMin && plain.startsWith(word.slice(0, -2)))

const distanceTo = (places: readonly NameHit[], hit: ListHit) =>
  Math.min(
    ...places.map(({ at, to }) => (hit.at >= to ? hit.at - to + 1 : hit.to <= at ? at - hit.to + 1 : 0)),
  )

/** What the post speaks of: the trade of the business, another trade, or something else. */
export function topicFeatures({ words, topics, business, places, isName }: ReadPost, set: SetFeature): void {
  const own = new Map<number, ListHit>()
  for (const [topic, hits] of topics) {
    if (business.trades.has(topic)) for (const hit of hits) if (!isName(hit.at)) own.set(hit.at, hit)
  }
  for (const [at, word] of words.entries()) {
    if (!isName(at) && isOwnWord(word.plain, business)) own.set(at, { at, to: at + 1, key: word.plain })
  }
  const [first] = own.values()
  set('own', weightOf(new Set([...own.keys()].map((at) => words[at]?.plain)).size), first)
  const near = [...own.values()].find((hit) => distanceTo(places, hit) <= nearWords)
  set('own_near', near ? 1 : 0, near)
  set('own_none', own.size === 0 ? 1 : 0)
  const trades = new Map<number, ListHit>()
  let others = 0
  for (const [topic, hits] of topics) {
    const rest = hits.filter(({ at }) => !own.has(at) && !isName(at))
    if (isTrade(topic)) for (const hit of rest) trades.set(hit.at, hit)
    else {
      set(`topic_${topic}`, weightOf(rest.length), rest[0])
      if (rest.length > 0) others++
    }
  }
  set('other_trade', weightOf(trades.size), [...trades.values()][0])
  set('topics', weightOf(Math.min(others, otherTopics.length)))
}

/** Lists of words that say something about the name, not about the post. */
const nameLists: ReadonlySet<string> = new Set([
  'indef',
  'def',
  'poss',
  'num',
  'title',
  'acts',
  'named',
  'kinds',
  'at',
])

/** What the writer does: asks, tells of a visit, sells, looks for work. */
export function signalFeatures({ signals, places, isName }: ReadPost, set: SetFeature): void {
  for (const [name, hits] of signals) {
    if (nameLists.has(name)) continue
    const others = hits.filter(({ at }) => !isName(at))
    set(name, weightOf(new Set(others.map(({ at }) => at)).size), others[0])
    const near = others.find((hit) => distanceTo(places, hit) <= nearWords)
    if (near) set(`${name}_near`, 1, near)
  }
}
