import de from './lexicons/de.json'
import en from './lexicons/en.json'
import es from './lexicons/es.json'
import fr from './lexicons/fr.json'
import it from './lexicons/it.json'
import markers from './lexicons/markers.json'
import nl from './lexicons/nl.json'
import pt from './lexicons/pt.json'
import type { Rows } from './word-rows'

/**
 * The words for analyzing reviews in one language, as a speaker of it can read and change them in `lexicons/`. `*` stands for
 * any ending, `!` marks a strong word.
 */
export interface Lexicon {
  readonly good: Rows
  readonly bad: Rows
  /** Words that negate the next words. */
  readonly not: Rows
  /** Words that start a clause that may say the opposite. */
  readonly but: Rows
  /** Frequent words that identify the language. */
  readonly common: Rows
  readonly emotions: Readonly<Record<'anger' | 'sadness' | 'fear' | 'surprise' | 'disgust', Rows>>
  readonly topics: Readonly<Partial<Record<Topic, Rows>>>
}

/** Topics of reviews. */
export const topics = [
  'staff',
  'service',
  'price',
  'waiting',
  'cleanliness',
  'quality',
  'food',
  'drinks',
  'location',
  'parking',
  'atmosphere',
  'communication',
  'booking',
  'delivery',
  'repair',
] as const
export type Topic = (typeof topics)[number]

/** The languages with words for analyzing reviews. */
export const lexicons: Readonly<Record<string, Lexicon>> = { en, de, fr, es, it, nl, pt }

/** Frequent words of languages that are recognized but have no words for analyzing reviews. */
export const frequentWords: Readonly<Record<string, Rows>> = markers
