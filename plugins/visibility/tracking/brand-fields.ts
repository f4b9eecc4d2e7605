import { normaliseDomain, Refusal } from 'renown'
import * as v from 'valibot'
import { collisions } from '../detection/judge-answer'
import { isCountry } from '../records/countries'

/** A name that is looked for in answers. */
export const brandName = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1, 'a name'),
  v.maxLength(120, 'at most 120 characters'),
)

/** A question for AI assistants. */
export const promptText = v.pipe(
  v.string(),
  v.trim(),
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

/** The Refusal of one field. */
export const refusedField = (field: string, message: string): Refusal =>
  new Refusal('invalid_field', message, { errors: [{ pointer: `/${field}`, code: 'invalid', message }] })

/** Throws a Refusal if a competitor has a name of the brand. */
export function refuseCollisions(tracked: Parameters<typeof collisions>[0]): void {
  const [same] = collisions(tracked)
  if (same) throw refusedField('competitors', `"${same.name}" is a name of the brand and of a competitor.`)
}
