import knownPeople from './people.json'
import knownVoices from './voices.json'

interface Voice {
  /** Posts of people who look for what the business offers. */
  readonly asks: readonly string[]
  /** Posts about the business. */
  readonly tells: readonly string[]
}

/** Sample posts, by language. */
export const voices: Readonly<Record<string, Voice>> = knownVoices

/** First and last names, by language. */
export const people: Readonly<Record<string, readonly (readonly string[])[]>> = knownPeople
