import type { Occurrence } from './find-names'
import { type JudgedLanguage, type Signal, type SignalName, signalsIn, type Word, wordsOf } from './signals'
import { type Unit, unitsOf } from './units'
import { addNearWords, isInName, type NameInText, stemMax } from './word-features'

/** An answer, read once for all the names that it is judged for. */
export interface ReadAnswer {
  readonly text: string
  /** What the question says. Null if nobody told the question. */
  readonly question: ReadQuestion | null
  readonly language: JudgedLanguage | null
  readonly words: readonly Word[]
  readonly signals: readonly Signal[]
  readonly units: readonly Unit[]
}

/** A question, read once for all its answers. */
export interface ReadQuestion {
  readonly names: ReadonlySet<string>
  readonly words: readonly Word[]
}

/** Reads a question. `names` are those that it has. */
export const readQuestion = (text: string, names: readonly Occurrence[]): ReadQuestion => ({
  names: new Set(names.map(({ entity }) => entity)),
  words: wordsOf(text.slice(0, questionMax)).filter(
    ({ start, end }) => !names.some((name) => start < name.end && name.start < end),
  ),
})
const questionMax = 1_000

/** Characters of an answer that are read. */
export const readMax = 20_000

/** Reads an answer. Without a language only its form is read. */
export function readAnswer(
  text: string,
  words: readonly Word[],
  language: JudgedLanguage | null,
  question: ReadQuestion | null = null,
  isSkipped?: (key: string) => boolean,
): ReadAnswer {
  const signals = language === null ? [] : signalsIn(words, language, isSkipped)
  return { text, question, language, words, signals, units: unitsOf(text.slice(0, readMax)) }
}

/** Occurrences of a name whose surroundings are read. */
const readOccurrences = 8

/** Returns what there is around the name of an entity, as the names of features. */
export function featuresOf(
  answer: ReadAnswer,
  own: readonly Occurrence[],
  all: readonly Occurrence[],
): Set<string> {
  const features = new Set<string>(['bias'])
  const read = own.slice(0, readOccurrences)
  const places = placesOf(answer.units, read, all)
  addForm(features, answer, read, places)
  addQuestion(features, answer, own[0]?.entity)
  addSignals(features, answer, read, all, places)
  if (answer.language !== null) addNearWords(features, answer, answer.language, { own: read, all, places })
  return features
}

/** Returns the place of each unit, in the order of the units. */
function placesOf(
  units: readonly Unit[],
  own: readonly Occurrence[],
  all: readonly Occurrence[],
): NameInText[] {
  const has = (unit: Unit, names: readonly Occurrence[]) =>
    names.some(({ start }) => start >= unit.start && start < unit.end)
  const others = all.filter(({ entity }) => entity !== own[0]?.entity)
  const places: NameInText[] = units.map((unit, at) =>
    has(unit, own) ? 'own' : at === 0 ? 'first' : at === units.length - 1 ? 'last' : 'rest',
  )
  for (const [at, unit] of units.entries()) {
    if (places[at] !== 'own') continue
    const next = units[at + 1]
    if (next && places[at + 1] !== 'own' && !next.isItem && next.line === unit.line && !has(next, others))
      places[at + 1] = 'next'
    if (unit.isItem) {
      for (let lead = at - 1; lead >= 0; lead--) {
        const before = units[lead]
        if (before?.isItem) continue
        if (places[lead] !== 'own') places[lead] = 'lead'
        break
      }
    } else if (at > 0 && places[at - 1] !== 'own' && places[at - 1] !== 'next') places[at - 1] = 'previous'
  }
  for (const [at, unit] of units.entries()) if (unit.isItem && places[at] === 'rest') places[at] = 'item'
  return places
}

/** What the question asks: whether it names the entity, and what its words tell. */
function addQuestion(
  features: Set<string>,
  { question, language, units }: ReadAnswer,
  entity: string | undefined,
): void {
  if (question === null || entity === undefined) return
  const kind = question.names.has(entity) ? 'named' : question.names.size > 0 ? 'other' : 'open'
  features.add(`question:${kind}`)
  features.add(`question:${kind} ${units.length > 2 ? 'long' : 'short'}`)
  if (language === null) return
  for (const { signal } of signalsIn(question.words, language)) {
    features.add(`question:${signal}`)
    features.add(`question:${kind} ${signal}`)
  }
  for (const { text } of question.words) features.add(`${language} ? ${text.slice(0, stemMax)}`)
}

function addForm(
  features: Set<string>,
  { text, units }: ReadAnswer,
  own: readonly Occurrence[],
  places: readonly NameInText[],
): void {
  const firstOwn = places.indexOf('own')
  const unit = units[firstOwn]
  if (unit) {
    features.add(firstOwn === 0 ? 'form:opens' : firstOwn === 1 ? 'form:second' : 'form:later')
    if (unit.isItem) {
      features.add('form:item')
      features.add(unit.isRow ? 'form:row' : 'form:bullet')
      const items = units.filter(({ isItem }) => isItem)
      const item = items.indexOf(unit)
      const place = item - (unit.isRow ? 2 : 0)
      features.add(place === 0 ? 'form:item 1' : place === 1 ? 'form:item 2' : 'form:item 3')
    } else features.add('form:text')
  }
  features.add(own.length > 2 ? 'form:often' : own.length > 1 ? 'form:twice' : 'form:once')
  const owns = places.filter((place) => place === 'own').length
  if (owns > 1) features.add('form:units')
  features.add(
    units.length > 5
      ? 'form:long'
      : units.length > 2
        ? 'form:middle'
        : units.length > 1
          ? 'form:two'
          : 'form:one',
  )
  const [first] = own
  if (!first) return
  const after = text.slice(first.end, first.end + 30)
  const before = text.slice(Math.max(0, first.start - 30), first.start)
  if (/^[*_»”"']{0,3}\s?:/u.test(after)) features.add('form:colon')
  if (/^[*_»”"']{0,3}\s?\(/u.test(after)) features.add('form:parenthesis')
  if (/^[*_»”"']{0,3}\s?[–—-]\s/u.test(after)) features.add('form:dash')
  if (/^[*_»”"']{0,3},/u.test(after)) features.add('form:comma')
  if (/^[*_»”"']{0,3}[.!;]/u.test(after)) features.add('form:end')
  if (/^[’']\p{L}/u.test(after)) features.add('form:apostrophe')
  if (/^[*_»”"']{0,3} \p{Lu}/u.test(after)) features.add('form:name after')
  if (/\*\*$|__$/.test(before)) features.add('form:bold')
  if (/["“„«]$/u.test(before)) features.add('form:quoted')
  if (/[:：] ?[*_]{0,2}$/u.test(before)) features.add('form:after colon')
  if (/\p{Lu}[\p{L}'’-]{0,20} $/u.test(before)) features.add('form:name before')
  if (/\?/.test(text)) features.add('form:question')
  if (/[€$£]|\d ?(?:zł|euro|tl\b)/iu.test(text)) features.add('form:price')
  if (/^(?:no|nein|nee|non|nie|hayır|нет|لا)\p{P}/iu.test(text)) features.add('form:no')
  if (/^(?:yes|ja|oui|sí|si|sì|tak|evet|да|نعم)\p{P}/iu.test(text)) features.add('form:yes')
}

const clauseEnd = /[,;()|–—،؛]|: |\s-\s/gu
/** Characters around a name that its clause lies in. */
const clauseReach = 160

/** Returns the span of the clause around a name, which ends at commas and brackets. */
function clauseSpan(text: string, { start, end }: Occurrence, unit: Unit): [from: number, to: number] {
  const lowest = Math.max(unit.start, start - clauseReach)
  const highest = Math.min(unit.end, end + clauseReach)
  let from = lowest
  for (const match of text.slice(lowest, start).matchAll(clauseEnd)) from = lowest + match.index + 1
  const after = text.slice(end, highest).search(clauseEnd)
  return [from, after < 0 ? highest : end + after]
}

/** Signals that turn the meaning of a recommendation. */
const reach = 3
/** Words up to which an answer is one plain statement. Its words then say more than those of a long one. */
const tinyMax = 14

function addSignals(
  features: Set<string>,
  { text, words, signals, units }: ReadAnswer,
  own: readonly Occurrence[],
  all: readonly Occurrence[],
  places: readonly NameInText[],
): void {
  const spans = own.flatMap((one) => {
    const unit = units.find(({ start, end }) => one.start >= start && one.start < end)
    return unit ? [{ one, clause: clauseSpan(text, one, unit) }] : []
  })
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  const nots = signals.filter(({ signal }) => signal === 'not').map(({ from }) => from)
  let at = 0
  for (const { signal, from, to } of signals.toSorted((a, b) => a.from - b.from)) {
    const start = words[from]?.start ?? 0
    const end = words[to]?.end ?? 0
    if (isInName(all, start, end)) continue
    while (at < units.length - 1 && (units[at]?.end ?? 0) <= start) at++
    const unit = units[at]
    const place = places[at] ?? 'rest'
    if (!unit) continue
    const key = `${signal} ${from}`
    if (seen.has(key)) continue
    seen.add(key)
    const isTurned =
      (signal === 'recommend' || signal === 'praise' || signal === 'blame') &&
      nots.some((not) => not < from && not >= from - reach && (words[not]?.start ?? 0) >= unit.start)
    const name = isTurned ? `not ${signal}` : signal
    add(counts, `${place}:${name}`)
    if (place !== 'own') continue
    for (const { one, clause } of spans) {
      if (start >= clause[0] && end <= clause[1]) add(counts, `clause:${name}`)
      if (start >= unit.start && end <= one.start && one.start < unit.end) add(counts, `before:${name}`)
      if (start >= one.end && one.start >= unit.start && one.start < unit.end) add(counts, `after:${name}`)
    }
  }
  const isTiny = words.length <= tinyMax
  for (const [key, count] of counts) {
    features.add(key)
    if (count > 2) features.add(`${key} 3`)
    if (isTiny) features.add(`tiny ${key}`)
  }
  if (isTiny) features.add('tiny')
  addOrdinals(features, counts, places, units)
  addBalance(features, counts)
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const ordinals: readonly SignalName[] = ['one', 'two', 'three']

/** Whether a later text names the place that the name has in the list. */
function addOrdinals(
  features: Set<string>,
  counts: ReadonlyMap<string, number>,
  places: readonly NameInText[],
  units: readonly Unit[],
): void {
  const firstOwn = places.indexOf('own')
  const items = units.filter(({ isItem }) => isItem)
  const unit = units[firstOwn]
  if (!unit) return
  const place = unit.isItem ? items.indexOf(unit) - (unit.isRow ? 2 : 0) : firstOwn === 0 ? 0 : -1
  for (const [number, ordinal] of ordinals.entries()) {
    const isSaid = ['last', 'rest', 'next'].some((where) => counts.has(`${where}:${ordinal}`))
    if (isSaid)
      features.add(place === number ? 'ordinal:own' : place < 0 ? 'ordinal:unknown' : 'ordinal:other')
  }
}

/** Which of praise and blame there is more of near the name. */
function addBalance(features: Set<string>, counts: ReadonlyMap<string, number>): void {
  const near = (name: string) =>
    (counts.get(`own:${name}`) ?? 0) + (counts.get(`next:${name}`) ?? 0) + (counts.get(`lead:${name}`) ?? 0)
  const kind = near('praise') + near('recommend') + near('not blame')
  const unkind = near('blame') + near('avoid') + near('not recommend') + near('not praise')
  if (kind > 0 && unkind === 0) features.add('near:kind')
  if (unkind > 0 && kind === 0) features.add('near:unkind')
  if (kind > unkind) features.add('near:kinder')
  if (unkind > kind) features.add('near:unkinder')
  if (kind > 1 && unkind > 1) features.add('near:both')
  if (kind === 0 && unkind === 0) features.add('near:nothing')
}
