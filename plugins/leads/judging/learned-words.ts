import { foldedString } from '../keywords/fold'
import type { JudgedMention, JudgedTracker, Reason } from './judgement'

/** A mention about which a person decided. */
export interface MentionDecision {
  readonly title?: string | undefined
  readonly body: string
  readonly isDismissed: boolean
}

/** How many kept and dismissed mentions of a tracker contain a word. */
export interface WordCount {
  readonly word: string
  readonly dismissed: number
  readonly kept: number
}

/** What the decisions about a tracker's mentions show. */
export interface Learned {
  readonly dismissed: number
  readonly kept: number
  readonly counts: ReadonlyMap<string, WordCount>
}

/** A word that mostly occurs in dismissed mentions, with the sentence for people. */
export interface WordSuggestion extends WordCount {
  readonly sentence: string
}

/** A word counts once this many decisions contain it, and once there are this many of both kinds. */
const occurrencesMin = 4
const decisionsMin = 3
/** Words of one mention that count, and the most that they change together. */
const wordsMax = 5
const pointsMax = 40
const suggestedShare = 0.8
const suggestionsMax = 20

/** Counts the words of decided mentions: in how many of each kind a word occurs. */
export function learnFrom(decisions: readonly MentionDecision[]): Learned {
  const counts = new Map<string, { word: string; dismissed: number; kept: number }>()
  let dismissed = 0
  for (const decision of decisions) {
    if (decision.isDismissed) dismissed++
    for (const word of wordsOf(decision)) {
      const count = counts.get(word) ?? { word, dismissed: 0, kept: 0 }
      if (decision.isDismissed) count.dismissed++
      else count.kept++
      counts.set(word, count)
    }
  }
  return { dismissed, kept: decisions.length - dismissed, counts }
}

/** Returns what earlier decisions say about a mention: naive Bayes over single words, each as a sentence. */
export function learnedReasons(mention: JudgedMention, tracker: JudgedTracker, learned: Learned): Reason[] {
  if (learned.dismissed + learned.kept < decisionsMin) return []
  const skipped = wordsOfTracker(tracker)
  const weighed = [...wordsOf(mention)]
    .flatMap((word) => {
      const count = learned.counts.get(word)
      if (!count || skipped.has(word) || count.dismissed + count.kept < occurrencesMin) return []
      const weight = weightOf(count, learned)
      return Math.abs(weight) < 1 ? [] : [{ count, weight }]
    })
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || (a.count.word < b.count.word ? -1 : 1))
    .slice(0, wordsMax)
  const sum = weighed.reduce((total, { weight }) => total + Math.abs(weight), 0)
  const scale = Math.min(10, pointsMax / Math.max(sum, 1))
  return weighed.map(({ count, weight }) => ({
    kind: weight > 0 ? 'learned_against' : 'learned_for',
    points: Math.round(-weight * scale),
    sentence: sentenceOf(count, weight > 0),
  }))
}

/**
 * Returns words that mostly occur in dismissed mentions, for people to exclude or to ignore. Leaves out words of the
 * tracker and ignored words.
 */
export function suggestedWords(tracker: JudgedTracker, learned: Learned): WordSuggestion[] {
  const skipped = wordsOfTracker(tracker)
  return [...learned.counts.values()]
    .filter(
      (count) =>
        !skipped.has(count.word) &&
        count.dismissed >= occurrencesMin &&
        count.dismissed / (count.dismissed + count.kept) >= suggestedShare &&
        weightOf(count, learned) >= 1,
    )
    .sort((a, b) => b.dismissed - a.dismissed || a.kept - b.kept || (a.word < b.word ? -1 : 1))
    .slice(0, suggestionsMax)
    .map((count) => ({ ...count, sentence: sentenceOf(count, true) }))
}

/** Log of how much more often the word occurs in dismissed mentions than in kept ones. */
const weightOf = ({ dismissed, kept }: WordCount, learned: Learned) =>
  Math.log((dismissed + 1) / (learned.dismissed + 2)) - Math.log((kept + 1) / (learned.kept + 2))

const sentenceOf = ({ word, dismissed, kept }: WordCount, isAgainst: boolean) =>
  `You ${isAgainst ? 'dismissed' : 'kept'} ${isAgainst ? dismissed : kept} of ${dismissed + kept} mentions with “${word}”.`

function wordsOfTracker(tracker: JudgedTracker): Set<string> {
  const lists = [...tracker.keywords, ...tracker.required_keywords, ...tracker.excluded_keywords]
  return new Set([...lists, ...(tracker.ignored_words ?? [])].flatMap((text) => [...wordsIn(text)]))
}

const wordsOf = ({ title, body }: { readonly title?: string | undefined; readonly body: string }) =>
  wordsIn(`${title ?? ''} ${body.slice(0, textMax)}`)
const textMax = 10_000

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Returns the distinct words of a text. Scripts without spaces give pairs of characters. */
function wordsIn(text: string): Set<string> {
  const words = new Set<string>()
  for (const [run] of foldedString(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    if (unspaced.test(run)) {
      for (let at = 0; at + 1 < run.length; at++) words.add(run.slice(at, at + 2))
    } else if (run.length >= 3 && run.length <= 40) words.add(run)
  }
  return words
}
