import * as v from 'valibot'

/** Metadata with a field's kind, for string schemas that do not show it. */
export interface ValueMark {
  readonly value: 'instant' | 'day'
}

/** The value of the metadata `words` of schemas whose texts Renown itself writes. */
export const ownWords = 'ours'

/**
 * Marks a schema whose texts Renown itself writes, such as an explanation or a code. Answers to agents mark all other
 * texts as words of strangers. Never use it for a text that contains a name, or anything else that somebody typed.
 */
export const ours = <const S extends v.GenericSchema>(schema: S) =>
  v.pipe(schema, v.metadata({ words: ownWords }))

/** The value of the metadata `words` of schemas whose texts are ids or names of a list. */
export const ownCodes = 'code'

/** Matches a text of one word: ids, names of lists, versions, hosts, time zones. */
export const isCode = (text: string): boolean => /^[\w.:@+/-]{1,80}$/.test(text)

const instantPattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Matches instants that need no conversion: UTC with milliseconds, on days 01 to 28. Nearly all stored
 * instants match.
 */
const plainly = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/**
 * Returns RFC 3339 text of any offset as `2026-11-20T18:00:00.000Z`, or null when it is invalid. Digits after
 * milliseconds are cut.
 */
export function normaliseInstant(text: string): string | null {
  if (plainly.test(text)) return text
  const parts = instantPattern.exec(text)
  if (!parts) return null
  const part = (place: number) => Number(parts[place] ?? 0)
  if (!isDay(text.slice(0, 10)) || part(4) > 23 || part(5) > 59 || part(6) > 59) return null
  if (part(9) > 23 || part(10) > 59) return null
  const millis = (parts[7] ?? '').padEnd(3, '0').slice(0, 3)
  const local = Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}Z`)
  const offset = (part(9) * 60 + part(10)) * 60_000 * (parts[8] === '-' ? -1 : 1)
  const normal = new Date(local - offset).toISOString()
  return normal.length === 24 ? normal : null
}

/** Whether a text is an existing calendar day `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00.000Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Whether every store can hold a text: no U+0000, no lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** Makes untrusted text storable: removes U+0000 and replaces lone surrogates by U+FFFD. */
export const toStorable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** A point in time. Accepts RFC 3339 with any offset, returns UTC with milliseconds and `Z`. */
export const instant = () =>
  v.pipe(
    v.string(),
    v.check((text) => normaliseInstant(text) !== null, 'expected an RFC 3339 date and time with an offset'),
    v.transform((text) => normaliseInstant(text) ?? text),
    v.metadata({ value: 'instant' } satisfies ValueMark),
  )

/** A calendar day, `YYYY-MM-DD`. */
export const day = () =>
  v.pipe(
    v.string(),
    v.check(isDay, 'expected a calendar day, YYYY-MM-DD'),
    v.metadata({ value: 'day' } satisfies ValueMark),
  )

/** Text of at most `max` UTF-16 units that every store can hold. */
export const text = (max: number) =>
  v.pipe(
    v.string(),
    v.maxLength(max),
    v.check(isStorable, 'must not contain U+0000 or half of a surrogate pair'),
  )
