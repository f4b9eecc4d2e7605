import names from './given-names.json'

/** Common given names in the languages of replies, in lower case. */
export const givenNames: ReadonlySet<string> = new Set(names.flatMap((row) => row.split(' ')))
