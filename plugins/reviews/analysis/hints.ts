import { fold, foldedWords } from './fold'
import { type HintClass, type HintTopic, hintClasses, hints, hintTopics } from './hints/lexicon'
import { type PhraseFinder, phraseFinder } from './phrases'
import { phrasesIn, wordsIn } from './word-rows'

/** What a text hints at, in the words of one language. */
export interface Hints {
  readonly language: string
  /** The beginnings of its words. */
  readonly stems: ReadonlySet<string>
  /** Subjects that words name only to say that nothing happened, such as "no bleeding". */
  readonly negated: ReadonlySet<HintTopic>
  /** Subjects that words name by themselves. */
  readonly strong: ReadonlyMap<HintTopic, string>
  /** Subjects that words name which praise uses too, such as "to kill". */
  readonly soft: ReadonlyMap<HintTopic, string>
  /** Pairs of words near each other, such as a part of the body and a harm. */
  readonly pairs: ReadonlyMap<string, readonly [topic: HintTopic, quote: string]>
  readonly classes: ReadonlySet<HintClass>
}

/** Pairs of classes that hint at a subject if they stand near each other. */
export const hintPairs: readonly (readonly [HintClass, HintClass, HintTopic])[] = [
  ['body', 'harm', 'injury'],
  ['minor', 'harm', 'injury'],
  ['relative', 'harm', 'injury'],
  ['minor', 'unwell', 'illness'],
  ['relative', 'unwell', 'illness'],
  ['meal', 'unwell', 'illness'],
  ['object', 'meal', 'injury'],
  ['equipment', 'failing', 'injury'],
  ['group', 'denial', 'discrimination'],
  ['contact', 'intimate', 'harassment'],
  ['contact', 'minor', 'harassment'],
  ['recording', 'secrecy', 'privacy'],
  ['data', 'exposure', 'privacy'],
  ['valuables', 'lost', 'police'],
  ['treatment', 'mistake', 'injury'],
  ['drink', 'duty', 'police'],
  ['drink', 'minor', 'police'],
]

type Mark = HintTopic | HintClass

interface Prepared {
  readonly finder: PhraseFinder<Mark>
  readonly figures: PhraseFinder<true>
  readonly soft: PhraseFinder<true>
  readonly negation: ReadonlySet<string>
}

const prepared = new Map<string, Prepared>()

function prepare(language: string): Prepared | null {
  const known = prepared.get(language)
  if (known) return known
  const given = hints[language]
  if (!given) return null
  const folded = (entries: readonly string[]) => entries.map(fold)
  const made: Prepared = {
    finder: phraseFinder<Mark>([
      ...hintTopics.flatMap((topic) =>
        folded(phrasesIn(given[topic])).map((entry) => [entry, topic] as const),
      ),
      ...hintClasses.flatMap((name) =>
        folded(wordsIn(given.classes[name])).map((entry) => [entry, name] as const),
      ),
    ]),
    figures: phraseFinder(folded(phrasesIn(given.figurative)).map((entry) => [entry, true] as const)),
    soft: phraseFinder(folded(wordsIn(given.soft)).map((entry) => [entry, true] as const)),
    negation: new Set(folded(wordsIn(given.negation))),
  }
  prepared.set(language, made)
  return made
}

/** The most words between the two of a pair. */
const pairReach = 9
const classNames: ReadonlySet<string> = new Set(hintClasses)
const isClass = (mark: Mark): mark is HintClass => classNames.has(mark)

/** Letters that writers hide a word with, such as in `p***`. */
const starred = /\p{L}\*{2,}/gu

/** Words before a hint in which a negation counts. */
const negationReach = 3
/** Letters of a word that count, so that its forms are one. */
const stemMax = 6

/**
 * Returns what a text hints at in a language, or null if it has no lists. `isSkipped` leaves out what was found, by its list and
 * its words.
 */
export function hintsOf(text: string, language: string, isSkipped?: (key: string) => boolean): Hints | null {
  const lists = prepare(language)
  if (!lists) return null
  const plain = foldedWords(fold(text.replace(starred, ' slur ')))
  const tokens = [...plain]
  for (const at of plain.keys()) {
    lists.figures.at(plain, at, (_found, length) => {
      tokens.fill('', at, at + length)
    })
  }
  const strong = new Map<HintTopic, string>()
  const soft = new Map<HintTopic, string>()
  const places = new Map<HintClass, number[]>()
  const happened = new Set<HintTopic>()
  tokens.forEach((token, at) => {
    if (token === '') return
    const isNegated = plain
      .slice(Math.max(0, at - negationReach), at)
      .some((word) => lists.negation.has(word))
    lists.finder.at(tokens, at, (mark, length) => {
      if (isSkipped?.(`${mark}:${tokens.slice(at, at + length).join(' ')}`) === true) return
      if (!isClass(mark) && !isNegated) happened.add(mark)
      if (isClass(mark)) places.set(mark, [...(places.get(mark) ?? []), at])
      else {
        const said = tokens.slice(at, at + length).join(' ')
        const isSoft = length === 1 && lists.soft.has(tokens, at)
        const kept = isSoft ? soft : strong
        kept.set(mark, said)
      }
    })
  })
  const pairs = new Map<string, readonly [HintTopic, string]>()
  for (const [one, other, topic] of hintPairs) {
    const found = nearest(places.get(one), places.get(other))
    if (found) pairs.set(`${one}+${other}`, [topic, `${tokens[found[0]]} … ${tokens[found[1]]}`])
  }
  const negated = new Set([...strong.keys(), ...soft.keys()].filter((topic) => !happened.has(topic)))
  const stems = new Set(plain.map((word) => word.slice(0, stemMax)))
  return { language, stems, negated, strong, soft, pairs, classes: new Set(places.keys()) }
}

function nearest(
  ones: readonly number[] = [],
  others: readonly number[] = [],
): readonly [number, number] | null {
  for (const one of ones) {
    for (const other of others) if (one !== other && Math.abs(one - other) <= pairReach) return [one, other]
  }
  return null
}
