import { refusedField } from 'renown'
import { typedName } from 'renown/records'
import { normaliseDomain } from 'renown/sources'
import * as v from 'valibot'
import { fold } from '../detection/fold'
import { collisions } from '../detection/judge-answer'
import { isCountry } from '../records/countries'

/** Text that every store can hold. It is checked with its field, before anything is written. */
const storable = v.check(
  (text: string) => !text.includes('\0') && text.isWellFormed(),
  'must not contain U+0000 or half of a surrogate pair',
)

/** A name that is looked for in answers. */
export const brandName = typedName('Name that is looked for in answers', { max: 120 })

/** A question for AI assistants. */
export const promptText = v.pipe(
  v.string(),
  v.trim(),
  storable,
  v.minLength(3, 'at least 3 characters'),
  v.maxLength(500, 'at most 500 characters'),
)

/** An ISO 3166-1 alpha-2 code, in either case. */
export const countryCode = v.pipe(
  v.string(),
  v.trim(),
  v.toUpperCase(),
  v.check(isCountry, 'an ISO 3166-1 alpha-2 code, such as GB'),
)

/** Returns a domain in its stored form. Throws a Refusal that names the field if the text is no domain. */
export function domainIn(field: string, given: string): string {
  const domain = normaliseDomain(given)
  if (domain !== null) return domain
  throw refusedField(field, `${given} is no domain. Give a domain such as example.com.`)
}

/** Throws a Refusal if a competitor has a name of the brand or of another competitor: each mention would count twice. */
export function refuseCollisions(tracked: Parameters<typeof collisions>[0]): void {
  const [same] = collisions(tracked)
  if (same) throw refusedField('competitors', `"${same.name}" is a name of the brand and of a competitor.`)
  const names = new Set<string>()
  for (const { name } of tracked.competitors) {
    const key = fold(plain(name)).text
    if (names.has(key)) throw refusedField('competitors', `"${name}" is the name of two competitors.`)
    names.add(key)
  }
}

const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** Identifies a prompt by its words, without regard to case and spaces. */
export const promptKey = (text: string): string => plain(text).toLowerCase()
