import { isTrade } from './business'
import type { SetFeature } from './feature'
import { type NameHit, withNeighbours } from './find-name'
import type { JudgedLanguage } from './languages'
import type { ReadPost } from './read-post'
import type { Word } from './read-text'
import { isOwnWord } from './topic-features'

const uncased: ReadonlySet<JudgedLanguage> = new Set(['ar'])
/** Languages that write every noun with a capital. */
const nounCased: ReadonlySet<JudgedLanguage> = new Set(['de'])
/** Languages in which names change their ending. */
const inflecting: ReadonlySet<JudgedLanguage> = new Set(['pl', 'ru', 'tr', 'ar'])
const bare = /^[\s"'“”„«»‚‘’(]*$/
const before = ['indef', 'def', 'poss', 'num', 'title', 'named'] as const

/** How the name stands among its neighbours. Each place of the name counts with its share. */
export function nameFeatures(post: ReadPost, set: SetFeature): void {
  const { places, words } = post
  const sums = new Map<string, number>()
  const add = (name: string) => sums.set(name, (sums.get(name) ?? 0) + 1)
  const isCasedText = words.some(({ isCapital }, at) => isCapital && !places.some((place) => place.at === at))
  for (const place of places) {
    letters(post, place, isCasedText, add)
    signs(post, place, add)
    neighbours(post, place, add)
  }
  const [first] = places
  for (const [name, sum] of sums) set(name, sum / places.length, first && withNeighbours(words, first))
  set('no_place', places.length === 0 ? 1 : 0)
  set('repeated', places.length > 1 ? 1 : 0, first)
}

type Add = (name: string) => void

function letters({ words, language }: ReadPost, place: NameHit, isCasedText: boolean, add: Add) {
  const word = words[place.at] as Word
  if (place.as !== 'whole') add(place.as)
  if (place.as === 'form' && inflecting.has(language)) add('form_free')
  if (uncased.has(language) || nounCased.has(language)) return
  if (word.isCapital && !word.isFirst) add('capital')
  if (!word.isCapital) add(isCasedText ? 'small' : 'small_text')
}

function signs({ words, text, signals }: ReadPost, place: NameHit, add: Add) {
  const word = words[place.at] as Word
  const after = words[place.to]
  const gap = after?.gap ?? text.slice(words[place.to - 1]?.end ?? 0, (words[place.to - 1]?.end ?? 0) + 3)
  const starting = (name: string) => (signals.get(name) ?? []).some(({ at }) => at === place.to)
  if (place.at > 0 && /[-–_#.]$/.test(word.gap) && !/\s/.test(word.gap)) add('hyphen')
  if (after && /^[-–_.]$/.test(gap)) add('hyphen')
  if (/["“”„«»‘]$/.test(word.gap)) add('quoted')
  if (/^['’]/.test(gap)) add('possessive')
  if (/[@#]\s?$/.test(word.gap)) add('tagged')
  if (/,\s*$/.test(word.gap) && !(after && bare.test(gap))) add('addressed')
  if (word.isFirst) add('first')
  if (/^\s*\?/.test(gap)) add('asked')
  if (/^\s*[:>]/.test(gap)) add('colon')
  if (/,\s*$/.test(word.gap) && /^\s*,/.test(gap)) add('listed')
  const isExplained = after && (/^\p{N}/u.test(after.plain) || starting('indef') || starting('def'))
  if (/^\s*,\s*$/.test(gap) && isExplained) add('explained')
}

function neighbours(post: ReadPost, place: NameHit, add: Add) {
  const { words, signals } = post
  const word = words[place.at] as Word
  const previous = words[place.at - 1]
  const next = words[place.to]
  const isAfterWord = previous !== undefined && bare.test(word.gap)
  const isBeforeWord = next !== undefined && bare.test(next.gap)
  if (!isAfterWord && !isBeforeWord) add('alone')
  if (isAfterWord) {
    for (const name of before) {
      if ((signals.get(name) ?? []).some(({ to }) => to === place.at)) add(`after_${name}`)
    }
    if (/^\p{N}+$/u.test(previous.plain)) add('number_before')
    if (previous.plain === 's' && /['’]$/.test(previous.gap)) add('owned')
    neighbour(post, place.at - 1, 'before', add)
  }
  if (!isBeforeWord) return
  if ((signals.get('acts') ?? []).some(({ at }) => at === place.to)) {
    add('acts')
    if (word.isFirst) add('first_acts')
  }
  if (/^\p{N}/u.test(next.plain)) add('number_after')
  neighbour(post, place.to, 'after', add)
}

function neighbour(post: ReadPost, at: number, side: 'before' | 'after', add: Add) {
  const { words, topics, signals, business, language } = post
  const word = words[at] as Word
  const found = [...topics].filter(([, hits]) => hits.some((hit) => hit.at <= at && at < hit.to))
  const isOwn = found.some(([topic]) => business.trades.has(topic)) || isOwnWord(word.plain, business)
  const isKind = (signals.get('kinds') ?? []).some((hit) => hit.at <= at && at < hit.to)
  if (isKind) add(isOwn ? 'own_kind' : `kind_${side}`)
  if (isOwn) add(`own_${side}`)
  else if (found.some(([topic]) => isTrade(topic))) add(`trade_${side}`)
  else if (found.length > 0) add(`topic_${side}`)
  const isTown = business.town.includes(word.plain)
  if (isTown) add('town_beside')
  const isNamePart = word.isCapital && !nounCased.has(language) && !isTown
  if (isNamePart && (side === 'after' || !word.isFirst)) add(`capital_${side}`)
}
