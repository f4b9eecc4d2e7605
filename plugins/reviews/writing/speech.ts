import type { Rows } from '../analysis/word-rows'
import de from './speech/de.json'
import en from './speech/en.json'
import es from './speech/es.json'
import fr from './speech/fr.json'
import it from './speech/it.json'
import nl from './speech/nl.json'
import pl from './speech/pl.json'
import pt from './speech/pt.json'
import sv from './speech/sv.json'
import tr from './speech/tr.json'

/**
 * The allowed words of one language in a reply, as a speaker of it can read and change them in its file. Acts, regrets,
 * phrases and things are phrases between commas, all others are single words. `(a|b|)` expands to each alternative. `*` ends
 * a stem.
 */
export interface SafeSpeech {
  /** Phrases that make a sentence allowed: greeting, thanks, gladness, invitation, sign-off. */
  readonly acts: Rows
  /** Phrases of regret. A sentence with one may not use words of the review. */
  readonly regrets: Rows
  /**
   * Reasons for regret, or their stems: waiting, noise, expectations. Without one of them, a sentence could
   * express regret about the guest.
   */
  readonly shortfalls: Rows
  /** Phrases that are harmless only as a whole. */
  readonly phrases: Rows
  /** Words that are harmless in any combination. */
  readonly words: Rows
  /** Words that may be used only if the review or the category of the business has them too. */
  readonly things: Rows
  /** Words that may stand before a further word of the review. */
  readonly determiners: Rows
  /** Titles next to a person's name. */
  readonly titles: Rows
  /**
   * Words of praise and enjoyment, or their stems. Only a sentence with such a word, or with regret, may name
   * things of the review.
   */
  readonly praises: Rows
  /**
   * Words about the future, or their stems. A sentence with one may not name things, because it would read as a
   * promise.
   */
  readonly futures: Rows
  /** Words for staff, or their stems. A sentence of regret may not contain one, because it would blame somebody. */
  readonly people: Rows
  /** Words that introduce the names of other businesses in a review. */
  readonly comparisons: Rows
}

/** The languages in which replies can be written without a person. */
export const safeSpeech = { de, en, es, fr, it, nl, pl, pt, sv, tr } as const satisfies Readonly<
  Record<string, SafeSpeech>
>
