/**
 * The allowed words of one language in a reply. Entries are separated by semicolons, single words by spaces where a
 * field says so. `(a|b|)` expands to each alternative. `*` ends a stem.
 */
export interface SafeSpeech {
  /** Phrases that make a sentence one that may be said: greeting, thanks, gladness, invitation, sign-off. */
  readonly acts: string
  /** Phrases of regret. A sentence with one may not take up words of the review. */
  readonly regrets: string
  /** What may be regretted, or its stems: waiting, noise, expectations. Without one a regret could be for the guest. */
  readonly shortfalls: string
  /** Phrases that are harmless as a whole only. */
  readonly phrases: string
  /** Words that are harmless in any combination with each other. */
  readonly words: string
  /** Words that may only be used when the review or the category of the business has them too. */
  readonly things: string
  /** Words after which another word of the review may be taken up. */
  readonly determiners: string
  /** Words that stand beside a person's name. */
  readonly titles: string
  /** Words of praise and enjoyment, or their stems. Only a sentence with one, or one of regret, may name things of the review. */
  readonly praises: string
  /** Words of what is to come, or their stems. A sentence with one names no things: it would read as a promise. */
  readonly futures: string
  /** Words for who works here, or their stems. A sentence of regret has none: it would lay blame. */
  readonly people: string
  /** Words after which a review names other businesses. */
  readonly comparisons: string
}
