import type { Words } from './words'
import { wordsOf } from './words'

/** The weights of a text's words, per clause. */
export interface Balance {
  /** Sum of the clauses with praise. */
  readonly good: number
  /** Sum of the clauses with complaints. */
  readonly bad: number
}

/** Number of words after a negation that it affects. */
const reach = 3

/** Weighs each clause separately, so that praise and complaint do not cancel out. */
export function balanceOf(text: string, words: Words): Balance {
  let good = 0
  let bad = 0
  for (const clause of clausesOf(text, words)) {
    const weight = weigh(clause, words)
    if (weight > 0) good += weight
    else bad -= weight
  }
  return { good, bad }
}

function clausesOf(text: string, words: Words): string[][] {
  const clauses: string[][] = []
  for (const part of text.split(/[.!?;,:…\n()]+|\s[-–—]\s/u)) {
    let clause: string[] = []
    for (const word of wordsOf(part)) {
      if (words.isBut(word)) {
        clauses.push(clause)
        clause = []
      }
      clause.push(word)
    }
    clauses.push(clause)
  }
  return clauses.filter(({ length }) => length > 0)
}

function weigh(clause: readonly string[], words: Words): number {
  let sum = 0
  let turned = 0
  for (const word of clause) {
    if (words.isNot(word)) {
      turned = reach
      continue
    }
    const weight = words.weight(word)
    // "Not bad" is weaker than "good", and "not good" is bad.
    sum += turned > 0 && weight !== 0 ? (weight > 0 ? -1 : 0.5) : weight
    turned--
  }
  return sum
}

type Sentiment = 'positive' | 'neutral' | 'negative' | 'mixed'

/**
 * Returns the sentiment from the stars. The text can make it `mixed` if clauses clearly say the opposite.
 * Without stars the text decides. Null if it has no known word.
 */
export function sentimentOf(stars: number | null, { good, bad }: Balance): Sentiment | null {
  if (stars === null) {
    if (good === 0 && bad === 0) return null
    if (Math.min(good, bad) >= 1 && Math.min(good, bad) * 2 >= Math.max(good, bad)) return 'mixed'
    return good > bad ? 'positive' : 'negative'
  }
  if (stars === 3) return good >= 1 && bad >= 1 ? 'mixed' : 'neutral'
  const [same, opposite] = stars > 3 ? [good, bad] : [bad, good]
  const isMild = stars === 2 || stars === 4
  const isMixed = isMild ? opposite >= 1 && opposite * 2 >= same : opposite >= 2 && opposite > same
  if (isMixed) return 'mixed'
  return stars > 3 ? 'positive' : 'negative'
}

/** Returns a score from −1 to 1. The stars, if any, count for four fifths. */
export function scoreOf(stars: number | null, { good, bad }: Balance): number {
  const told = good + bad === 0 ? null : (good - bad) / (good + bad)
  const rated = stars === null ? null : (stars - 3) / 2
  if (rated === null) return round(told ?? 0)
  return round(told === null ? rated : rated * 0.8 + told * 0.2)
}

const round = (score: number) => Math.round(score * 100) / 100 || 0
