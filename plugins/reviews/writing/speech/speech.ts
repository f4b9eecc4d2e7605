/**
 * The allowed words of one language in a reply. Entries are separated by semicolons, single words by spaces where a
 * field says so. `(a|b|)` expands to each alternative. `*` ends a stem.
 */
export interface SafeSpeech {
  /** Phrases that make a sentence allowed: greeting, thanks, gladness, invitation, sign-off. */
  readonly acts: string
  /** Phrases of regret. A sentence with one may not use words of the review. */
  readonly regrets: string
  /**
   * Reasons for regret, or their stems: waiting, noise, expectations. Without one of them, a sentence could
   * express regret about the guest.
   */
  readonly shortfalls: string
  /** Phrases that are harmless only as a whole. */
  readonly phrases: string
  /** Words that are harmless in any combination. */
  readonly words: string
  /** Words that may be used only if the review or the category of the business has them too. */
  readonly things: string
  /** Words that may stand before a further word of the review. */
  readonly determiners: string
  /** Titles next to a person's name. */
  readonly titles: string
  /**
   * Words of praise and enjoyment, or their stems. Only a sentence with such a word, or with regret, may name
   * things of the review.
   */
  readonly praises: string
  /**
   * Words about the future, or their stems. A sentence with one may not name things, because it would read as a
   * promise.
   */
  readonly futures: string
  /** Words for staff, or their stems. A sentence of regret may not contain one, because it would blame somebody. */
  readonly people: string
  /** Words that introduce the names of other businesses in a review. */
  readonly comparisons: string
}
