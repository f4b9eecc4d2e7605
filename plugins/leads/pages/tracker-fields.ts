import { Refusal, type Row, refusedField } from 'renown'
import * as v from 'valibot'
import { checkKeywords } from '../keywords/check'
import type { BrandTracker } from '../records/BrandTracker'
import { channels } from '../records/channels'
import { cleanText } from '../sources/plain-text'
import type { TrackerChange } from '../tracking/change-tracking'

/** The three lists of keywords, with the names of their fields in the form. */
export const keywordFields = [
  ['keywords', 'keywords'],
  ['required', 'required_keywords'],
  ['excluded', 'excluded_keywords'],
] as const

/** The form of a tracker, filled in. */
export interface TrackerForm {
  readonly name: string
  readonly location_id: string
  readonly keywords: string
  readonly required: string
  readonly excluded: string
  readonly languages: string
  readonly feeds: string
  readonly sources: readonly string[]
}

const textMax = 60_000
const lines = v.optional(v.pipe(v.string(), v.maxLength(textMax, `Use at most ${textMax} characters.`)), '')
const channel = v.picklist(channels)

/** The fields that say what a tracker searches for. The preview reads the same. */
export const searchFields = {
  keywords: lines,
  required: lines,
  excluded: lines,
  languages: v.optional(v.pipe(v.string(), v.maxLength(500, 'Use at most 500 characters.')), ''),
  sources: v.pipe(
    v.optional(v.union([channel, v.array(channel)]), []),
    v.transform((chosen) => [chosen].flat()),
  ),
}

/** All fields of the form. */
export const formFields = {
  ...searchFields,
  name: v.pipe(
    v.string(),
    v.transform((typed) => cleanText(typed, 1_000).replaceAll('\n', ' ')),
    v.minLength(1, 'Enter a name.'),
    v.maxLength(120, 'Use at most 120 characters.'),
  ),
  feeds: lines,
}

type Search = Readonly<Record<(typeof keywordFields)[number][0] | 'languages', string>> & {
  readonly sources: readonly (typeof channels)[number][]
}

/** A keyword with the line of the form that it is in, from 1. */
interface TypedKeyword {
  readonly text: string
  readonly line: number
}

const typedLines = (typed: string): TypedKeyword[] =>
  typed
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ text: cleanText(line, 4_000).replaceAll('\n', ' '), line: index + 1 }))
    .filter(({ text }) => text !== '')

/** A mistake in a keyword, where people find it. */
export interface TypedMistake {
  /** The field of the form. */
  readonly field: (typeof keywordFields)[number][0]
  readonly line: number
  readonly keyword: string
  readonly message: string
  readonly at: number
  readonly length: number
}

const keywordsOf = (typed: Search) => {
  const [keywords, required_keywords, excluded_keywords] = keywordFields.map(([name]) =>
    typedLines(typed[name]),
  )
  return { keywords, required_keywords, excluded_keywords }
}

/** Returns what a form searches for, and the mistakes in its keywords with their lines. */
export function typedSearch(typed: Search) {
  const found = keywordsOf(typed)
  const texts = (list: readonly TypedKeyword[] = []) => list.map(({ text }) => text)
  const lists = {
    keywords: texts(found.keywords),
    required_keywords: texts(found.required_keywords),
    excluded_keywords: texts(found.excluded_keywords),
  }
  const mistakes = checkKeywords(lists).map(
    ({ field, index, keyword, message, at, length }): TypedMistake => {
      const [name] = keywordFields.find(([, list]) => list === field) ?? ['keywords']
      return { field: name, line: found[field]?.[index]?.line ?? 1, keyword, message, at, length }
    },
  )
  return { ...lists, languages: wordsIn(typed.languages), sources: typed.sources, mistakes }
}

const wordsIn = (typed: string): string[] => typed.split(/[\s,;]+/).filter((word) => word !== '')

/** Returns what a person typed into the form. Throws a Refusal that names each mistake and its line. */
export function typedTracker({
  name,
  feeds,
  ...typed
}: Search & { readonly name: string; readonly feeds: string }): Required<TrackerChange> {
  const { mistakes, ...search } = typedSearch(typed)
  if (mistakes.length > 0) throw refusedKeywords(mistakes)
  if (search.languages.length > 50) throw refusedField('languages', 'Use at most 50 languages.')
  return { name, ...search, feeds: typedLines(feeds).map(({ text }) => text) }
}

function refusedKeywords(mistakes: readonly TypedMistake[]): Refusal {
  const byField = Map.groupBy(mistakes, ({ field }) => field)
  const errors = [...byField].map(([field, own]) => ({
    pointer: `/${field}`,
    code: 'invalid',
    message: own.map(mistakeWords).join(' '),
  }))
  return new Refusal('invalid_field', errors[0]?.message ?? '', { errors })
}

/** Says where a mistake is and what to write instead. */
const mistakeWords = ({ line, keyword, message, at }: TypedMistake): string =>
  keyword === '' ? `${message}.` : `Line ${line}, character ${at + 1}: ${message}.`

/** Returns the form of a tracker. */
export const formOf = (tracker: Row<typeof BrandTracker>): TrackerForm => ({
  name: tracker.name,
  location_id: tracker.location_id,
  sources: tracker.sources,
  keywords: tracker.keywords.join('\n'),
  required: tracker.required_keywords.join('\n'),
  excluded: tracker.excluded_keywords.join('\n'),
  languages: tracker.languages.join(', '),
  feeds: (tracker.feeds ?? []).join('\n'),
})

/** Identifies the values of the form, so that nobody overwrites changes that they did not see. */
export const seenOf = (tracker: Row<typeof BrandTracker>): string =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify(formOf(tracker)))
    .digest('hex')
    .slice(0, 32)
