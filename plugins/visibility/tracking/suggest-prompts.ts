import { oneLine } from 'renown'
import written from './suggested-prompts.json'

/** The profile data for prompt suggestions. */
export interface Profile {
  readonly name: string
  readonly category?: string | undefined
  /** What the business offers, by its own profile. */
  readonly services?: readonly string[] | undefined
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

/** The place of the text about a service in the texts of a language. */
const servicePlace = kinds.length
const servicesMax = 3
const serviceLengthMax = 60

/**
 * Suggests prompts from what a business does and where: its category, and up to three of its services. Without a city it
 * suggests nothing, and without category and services only the prompt about the business, because a question without
 * them measures nothing.
 */
export function suggestPrompts({ name, category, services = [], city, language }: Profile): Suggestion[] {
  if (city === undefined) return []
  const base = language.toLowerCase().split('-')[0] ?? 'en'
  const found = texts[base] ?? texts.en ?? []
  const filled = (place: number, about: string) =>
    (found[place] ?? '').replace(/\{(category|service|city|name)\}/g, (_, key) =>
      key === 'city' ? city : key === 'name' ? name : about,
    )
  const general = kinds.flatMap((kind, place) =>
    kind.isBranded || category !== undefined ? [{ text: filled(place, category ?? ''), ...kind }] : [],
  )
  const own = askedServices(services, [category ?? '', name]).map((service) => ({
    text: filled(servicePlace, service),
    intent: 'local' as const,
    isBranded: false,
  }))
  return [
    ...general.filter(({ isBranded }) => !isBranded),
    ...own,
    ...general.filter(({ isBranded }) => isBranded),
  ]
}

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Returns the services to ask about. They come from a website, so only short names count: no sentences, prices or addresses. One
 * that only repeats the category asks the same again, and one with the name of the business gives the answer away.
 */
function askedServices(services: readonly string[], [category = '', name = '']: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const given of services) {
    const service = oneLine(given, serviceLengthMax + 1)
    const key = folded(service)
    const isName = /^[\p{L}\p{M}\p{N} &'’,/()+-]{3,}$/u.test(service) && /\p{L}{3}/u.test(service)
    if (service.length > serviceLengthMax || !isName || /\d{3}|www/.test(key)) continue
    if (key === folded(category) || (name !== '' && key.includes(folded(name)))) continue
    if (!byKey.has(key)) byKey.set(key, service)
  }
  return [...byKey.values()].slice(0, servicesMax)
}

/** Returns the language of suggested prompts: one of the languages above, else English. */
export const languageOf = (locale: string | undefined): string => {
  const base = locale?.toLowerCase().split('-')[0] ?? 'en'
  return Object.hasOwn(texts, base) ? base : 'en'
}
