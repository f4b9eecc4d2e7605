import type { Row } from 'renown'
import * as v from 'valibot'
import { checkKeywords } from '../keywords/check'
import type { BrandTracker } from '../records/BrandTracker'
import { channels } from '../records/channels'
import { cleanText } from '../sources/plain-text'

/** The three lists of keywords, with the names of their fields in the form. */
export const keywordFields = [
  ['keywords', 'keywords'],
  ['required', 'required_keywords'],
  ['exclude', 'excluded_keywords'],
] as const

/** The form of a tracker, filled in. */
export interface TrackerForm {
  readonly name: string
  readonly location_id: string
  readonly keywords: string
  readonly required: string
  readonly exclude: string
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
  exclude: lines,
  languages: v.optional(v.pipe(v.string(), v.maxLength(500, 'Use at most 500 characters.')), ''),
  sources: v.pipe(
    v.optional(v.union([channel, v.array(channel)]), []),
    v.transform((chosen) => [chosen].flat()),
  ),
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

function wordsIn(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter((word) => word !== '')
}

const typedTexts = (typed: string) => typedLines(typed).map(({ text }) => text)

/** A list of keywords in the form. Names each mistake and its line. */
const keywordLines = (name: TypedMistake['field']) =>
  v.pipe(
    lines,
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
      const none = { keywords: '', required: '', exclude: '', languages: '', sources: [] }
      const mistakes = typedSearch({ ...none, [name]: value }).mistakes.filter(({ field }) => field === name)
      if (mistakes.length === 0) return typedTexts(value)
      addIssue({ message: mistakes.map(mistakeWords).join(' ') })
      return NEVER
    }),
  )

/** How the form of a tracker sends the fields of its acts. */
export const trackerForms = {
  keywords: keywordLines('keywords'),
  required: keywordLines('required'),
  exclude: keywordLines('exclude'),
  languages: v.pipe(
    searchFields.languages,
    v.transform(wordsIn),
    v.maxLength(50, 'Use at most 50 languages.'),
  ),
  sources: searchFields.sources,
  name: v.pipe(
    v.string(),
    v.transform((typed) => cleanText(typed, 1_000).replaceAll('\n', ' ')),
    v.minLength(1, 'Enter a name.'),
    v.maxLength(120, 'Use at most 120 characters.'),
  ),
  feeds: v.pipe(lines, v.transform(typedTexts)),
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
  exclude: tracker.excluded_keywords.join('\n'),
  languages: tracker.languages.join(', '),
  feeds: (tracker.feeds ?? []).join('\n'),
})

/** Identifies the values of the form, so that nobody overwrites changes that they did not see. */
export const seenOf = (tracker: Row<typeof BrandTracker>): string =>
  new Bun.CryptoHasher('sha256')
    .update(JSON.stringify(formOf(tracker)))
    .digest('hex')
    .slice(0, 32)
