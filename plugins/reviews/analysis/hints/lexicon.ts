import type { Rows } from '../word-rows'
import ar from './ar.json'
import de from './de.json'
import en from './en.json'
import es from './es.json'
import fr from './fr.json'
import it from './it.json'
import nl from './nl.json'
import pl from './pl.json'
import ru from './ru.json'
import tr from './tr.json'

/** Subjects that a review may hint at. */
export const hintTopics = [
  'injury',
  'illness',
  'police',
  'legal',
  'discrimination',
  'harassment',
  'privacy',
  'despair',
] as const
export type HintTopic = (typeof hintTopics)[number]

/** Classes of words. Two of them near each other hint at a subject. */
export const hintClasses = [
  'minor',
  'relative',
  'body',
  'harm',
  'unwell',
  'meal',
  'object',
  'equipment',
  'failing',
  'group',
  'denial',
  'contact',
  'intimate',
  'recording',
  'secrecy',
  'data',
  'exposure',
  'valuables',
  'lost',
  'treatment',
  'mistake',
  'drink',
  'duty',
  'ordinary',
] as const
export type HintClass = (typeof hintClasses)[number]

/** Words of one language that hint at something that a person must answer. */
export interface HintWords extends Readonly<Record<HintTopic, Rows>> {
  /** Words before a hint that say that it did not happen. */
  readonly negation: Rows
  /** Frequent words that identify the language. */
  readonly common: Rows
  /** Words that count as a hint only if the review does not praise. */
  readonly soft: Rows
  /** Phrases that only sound serious. */
  readonly figurative: Rows
  readonly classes: Readonly<Record<HintClass, Rows>>
}

export const hints: Readonly<Record<string, HintWords>> = { ar, de, en, es, fr, it, nl, pl, ru, tr }
