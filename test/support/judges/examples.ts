import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBusiness } from '../../../plugins/leads/judging/features/business'
import type { Features } from '../../../plugins/leads/judging/features/feature'
import { featuresOf, intentFeaturesOf } from '../../../plugins/leads/judging/features/post-features'
import { mentionLanguage } from '../../../plugins/leads/judging/features/read-mention'
import { type ReadPost, readPost } from '../../../plugins/leads/judging/features/read-post'
import { wordsOf } from '../../../plugins/leads/judging/features/read-text'
import { intentKindsOf } from '../../../plugins/leads/judging/judge-intent'
import type { JudgedLocation } from '../../../plugins/leads/judging/judgement'
import { halfOf, readBrands, readCorpus } from './corpora'
import type { Example } from './logistic'

/** A labelled text of a business. */
export interface LabelledText {
  readonly id: string
  /** The business. Texts of one business are never on both sides of a trial. */
  readonly group: string
  readonly text: string
  readonly isYes: boolean
  readonly location: JudgedLocation
}

const casesFolder = join(import.meta.dir, '../../plugins/leads/judging/cases')
const readCases = (name: string) => JSON.parse(readFileSync(join(casesFolder, `${name}.json`), 'utf8'))

interface PatternCase {
  readonly name: string
  readonly cat: string
  readonly city: string
  readonly yes: readonly string[]
  readonly no: readonly string[]
}

const streets = ['Mill', 'Park', 'Station']

/** The texts of sentence patterns, each filled in once: the kept cases, or plain posts to learn from. */
export function relevanceCases(name: 'relevance' | 'plain-relevance'): readonly LabelledText[] {
  const { cases } = readCases(name) as { readonly cases: readonly PatternCase[] }
  return cases.flatMap(({ name: business_name, cat, city, yes, no }) => {
    const location = { business_name, business_category: cat, city }
    const filled = (isYes: boolean) => (pattern: string, n: number) => ({
      id: `${business_name} ${isYes} ${n}`,
      group: business_name,
      isYes,
      location,
      text: pattern
        .replaceAll('{B}', business_name)
        .replaceAll('{b}', business_name.toLowerCase())
        .replaceAll('{C}', city)
        .replaceAll('{n}', String(7 + n))
        .replaceAll('{S}', streets[n % streets.length] as string),
    })
    return [...yes.map(filled(true)), ...no.map(filled(false))]
  })
}

/** Posts about one business, and whether their author may become a customer: the kept cases, or plain posts to learn from. */
export function intentCases(name: 'intent' | 'plain-intent'): readonly LabelledText[] {
  const { cases } = readCases(name) as {
    readonly cases: readonly { readonly text: string; readonly lead: boolean }[]
  }
  const location = { business_name: 'Kestrel Boilers', business_category: 'Plumber', city: 'Leeds' }
  return cases.map(({ text, lead }, n) => {
    const id = `${name} ${n}`
    return { id, group: id, text, isYes: lead, location }
  })
}

/** The labelled posts about names that are common words. */
export function relevanceTexts(half: 'build' | 'report'): readonly LabelledText[] {
  const brands = readBrands()
  return readCorpus('relevance')
    .filter((line) => line.label !== 'unclear' && halfOf(line) === half)
    .map(({ id, brand, text, label }) => {
      const { name = '', category, town } = brands.get(brand) ?? {}
      const location = { business_name: name, business_category: category, city: town }
      return { id, group: brand, text, isYes: label === 'about', location }
    })
}

/** The labelled posts of people who may become customers, and of others. */
export const intentTexts = (half: 'build' | 'report'): readonly LabelledText[] =>
  readCorpus('intent')
    .filter((line) => halfOf(line) === half)
    .map(({ id, business, category, town, text, label }) => ({
      id,
      group: business,
      text,
      isYes: label === 'lead',
      location: { business_name: business, business_category: category, city: town },
    }))

/** Lists that hold all words of their kind. Texts that use one of them alone still teach it. */
const closed = /^(?:indef|def|poss|num|title|named|acts|kinds):/

/** Returns the features of a read text. */
export type Reader = (post: ReadPost) => Features

/** What a text shows about its name. */
export const readRelevance: Reader = featuresOf
/** What a text shows about its writer. */
export const readIntent: Reader = (post) =>
  intentFeaturesOf(post, featuresOf(post), intentKindsOf({ body: post.text }))

const valuesOf = (features: Features) => new Map([...features].map(([name, { value }]) => [name, value]))

/** Returns texts as they are judged. */
export const examplesOf = (
  texts: readonly LabelledText[],
  read: Reader,
): readonly (Example & LabelledText)[] =>
  texts.map((text) => {
    const post = postOf(text)
    return { ...text, features: post ? valuesOf(read(post)) : new Map() }
  })

/**
 * Returns texts as they are learned from. A word of a list that no other text uses does not count: who wrote the lists knew
 * these texts, and in a new one such a word would be missing.
 */
export function learnedExamples(
  texts: readonly LabelledText[],
  read: Reader,
): readonly (Example & LabelledText)[] {
  const uses = new Map<string, number>()
  const posts = texts.map((text) => ({ text, post: postOf(text) }))
  for (const { post } of posts) {
    for (const key of post ? keysOf(post) : []) uses.set(key, (uses.get(key) ?? 0) + 1)
  }
  return posts.map(({ text, post }) => {
    const isSkipped = (key: string) => !closed.test(key) && (uses.get(`${post?.language} ${key}`) ?? 0) < 2
    const read_ = post && readPost(post.words, post.text, post.business, post.language, isSkipped)
    return { ...text, features: read_ ? valuesOf(read(read_)) : new Map() }
  })
}

const keysOf = ({ language, topics, signals }: ReadPost) =>
  new Set(
    [...topics.values(), ...signals.values()].flatMap((hits) => hits.map(({ key }) => `${language} ${key}`)),
  )

function postOf({ text, location }: LabelledText): ReadPost | null {
  const words = wordsOf(text)
  const language = mentionLanguage(words, undefined, text)
  return language && readPost(words, text, readBusiness(location), language)
}
