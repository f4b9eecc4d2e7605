/** Subjects that a machine must not answer. */
export const sensitiveTopics = ['injury', 'illness', 'police', 'legal', 'discrimination', 'child'] as const
export type SensitiveTopic = (typeof sensitiveTopics)[number]

/**
 * Words of one language, by subject, separated by commas. An entry is one word, or several in a row. `*`
 * means any letters at that end, `|` separates alternatives, `#` means a number. Words are compared in lower
 * case and without accents. An entry with `~` counts only in a text of this language, because another
 * language uses the same word.
 */
export interface SensitiveWords extends Readonly<Record<SensitiveTopic, string>> {
  /** Frequent words that identify the language. Needed only if an entry has `~`. */
  readonly common?: string
  /** Phrases that contain a listed word but mean something else. */
  readonly harmless?: string
}
