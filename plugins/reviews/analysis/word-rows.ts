/** Lists of words are data: rows of a length that fits a screen, of words between spaces, or of phrases between commas. */
export type Rows = readonly string[]

/** Returns the words of a list. */
export const wordsIn = (rows: Rows): readonly string[] => rows.flatMap((row) => row.split(' '))

/** Returns the phrases of a list. */
export const phrasesIn = (rows: Rows): readonly string[] => rows.flatMap((row) => row.split(', '))
