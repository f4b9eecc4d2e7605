import written from './suggested-prompts.json'

/** The profile data for prompt suggestions. */
export interface Profile {
  readonly name: string
  readonly category?: string | undefined
  readonly city?: string | undefined
  readonly language: string
}

/** A suggested prompt. Branded ones name the business, and the headline rate leaves them out. */
export interface Suggestion {
  readonly text: string
  readonly intent: 'informational' | 'commercial' | 'navigational' | 'local'
  readonly isBranded: boolean
}

type Kind = Pick<Suggestion, 'intent' | 'isBranded'>

/** The kinds in the order of the texts below. */
const kinds: readonly Kind[] = [
  { intent: 'local', isBranded: false },
  { intent: 'commercial', isBranded: false },
  { intent: 'commercial', isBranded: false },
  { intent: 'informational', isBranded: false },
  { intent: 'navigational', isBranded: true },
]

const texts: Readonly<Record<string, readonly string[]>> = written

/**
 * Suggests prompts from a business's profile. Without a category or a city it suggests only the prompt about
 * the business, because a question without them measures nothing.
 */
export function suggestPrompts({ name, category, city, language }: Profile): Suggestion[] {
  const base = language.toLowerCase().split('-')[0] ?? 'en'
  const found = texts[base] ?? texts.en ?? []
  return kinds.flatMap((kind, place) => {
    const isKnown = city !== undefined && (kind.isBranded || category !== undefined)
    if (!isKnown) return []
    const text = (found[place] ?? '')
      .replaceAll('{category}', category ?? '')
      .replaceAll('{city}', city)
      .replaceAll('{name}', name)
    return [{ text, ...kind }]
  })
}

/** Returns the language of suggested prompts: one of the languages above, else English. */
export const languageOf = (locale: string | undefined): string => {
  const base = locale?.toLowerCase().split('-')[0] ?? 'en'
  return Object.hasOwn(texts, base) ? base : 'en'
}
