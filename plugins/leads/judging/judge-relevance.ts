import { normaliseDomain } from 'renown/sources'
import { anchorsOf } from '../keywords/anchors'
import { foldedString } from '../keywords/fold'
import { buildMatcher, type MatchSpan } from '../keywords/matcher'
import { parseKeyword } from '../keywords/parse'
import type { Business } from './features/business'
import { nameReasons, type ReadFeatures } from './judge-name'
import type { JudgedLocation, JudgedMention, JudgedTracker, Reason } from './judgement'
import { createLexicon, type LexiconRule, quoteOf } from './lexicon'
import { keywordsOf } from './rule-words'

/** The version of the rules below. Increase it with each change. */
export const relevanceRules = 'relevance.rules@1'
/** Points of a mention before any reason. */
export const relevanceStart = 50
/** Minimum points of a relevant mention, and of one that may be relevant. */
export const relevantMin = 60
export const maybeMin = 35

/** Words of pages that name every business, and of posts that are made in bulk. */
export const noiseLexicon: readonly LexiconRule[] = [
  {
    kind: 'bulk_post',
    points: -30,
    says: 'Reads like a bulk post',
    keywords: keywordsOf('bulk_post'),
  },
  {
    kind: 'other_meaning',
    points: -15,
    says: 'Looks like another meaning of the word',
    keywords: keywordsOf('other_meaning'),
  },
]
const findNoise = createLexicon(noiseLexicon)
const hashtagsMax = 8
const linksMax = 5

/** The keywords and the business in a mention. */
export interface Evidence {
  readonly spans: readonly MatchSpan[]
  /** Whether the mention contains the name of the business. */
  readonly namesBusiness: readonly MatchSpan[]
}

/** Finds the keywords of the tracker and the name of the business in a mention. */
export function evidenceOf(
  mention: JudgedMention,
  tracker: JudgedTracker,
  { business_name }: JudgedLocation,
): Evidence {
  const none = { required_keywords: [], excluded_keywords: [], languages: [] }
  const name = business_name
    .replace(/["“”„«»「」『』＂]/g, ' ')
    .trim()
    .slice(0, 100)
  const matcher = buildMatcher([
    { id: 'keywords', ...none, keywords: tracker.keywords },
    { id: 'name', ...none, keywords: [`"${name}"`] },
  ])
  const matches = matcher.match(mention)
  const spansOf = (id: string) => matches.find(({ tracker_id }) => tracker_id === id)?.spans ?? []
  return { spans: spansOf('keywords'), namesBusiness: spansOf('name') }
}

/**
 * Returns the reasons for and against the relevance of a mention, by rules. `post` is given if the name of the business can
 * mean something else and stands in the post: then the words around it count, not that it is there.
 */
export function relevanceReasons(
  mention: JudgedMention,
  tracker: JudgedTracker,
  location: JudgedLocation,
  evidence: Evidence,
  post: ReadFeatures | null,
): Reason[] {
  return [
    ...ownPost(mention, location),
    ...(post
      ? [...nameReasons(post, mention), ...siteReason(mention, location)]
      : [...specificity(mention, tracker, evidence), ...context(mention, location, evidence)]),
    ...noise(mention),
  ]
}

/**
 * Whether the name alone says that a post means the business: it has several words, of which one says what the business
 * is, as in Kestrel Boilers.
 */
export const isPlainName = ({ name, core }: Business): boolean => name.length > core.length && name.length > 1

function ownPost(mention: JudgedMention, { website, business_name }: JudgedLocation): Reason[] {
  const own = website ? normaliseDomain(website) : null
  const host = URL.canParse(mention.url) ? new URL(mention.url).hostname.replace(/^www\./, '') : ''
  if (own && host !== '' && (host === own || host.endsWith(`.${own}`))) {
    return [{ kind: 'own_site', points: -50, sentence: 'It is on your own website.' }]
  }
  const handle = lettersOf(mention.author?.handle ?? '')
  if (handle.length < 4 || handle !== lettersOf(business_name)) return []
  return [{ kind: 'own_account', points: -40, sentence: 'Its author has the name of your business.' }]
}

const lettersOf = (text: string) => foldedString(text).replace(/[^\p{L}\p{N}]/gu, '')

/** A name of several words or with signs is seldom something else. A common word in small letters often is. */
function specificity(
  mention: JudgedMention,
  tracker: JudgedTracker,
  { spans, namesBusiness }: Evidence,
): Reason[] {
  const reasons: Reason[] = []
  const [name] = namesBusiness
  if (name) {
    const sentence = `Names your business: “${quoteOf(mention, name)}”.`
    reasons.push({ kind: 'names_business', points: 25, sentence, span: name })
  }
  const [first] = spans
  if (!first) {
    const sentence = 'None of your keywords is in the text. The source chose it.'
    return [...reasons, { kind: 'no_keyword', points: -10, sentence }]
  }
  if (spans.some(({ field }) => field === 'title')) {
    reasons.push({ kind: 'in_title', points: 10, sentence: 'A keyword is in the title.' })
  }
  const specific = spans.find((span) => /[\s\d&+.'’-]/.test(quoteOf(mention, span).trim()))
  if (specific) {
    const sentence = `“${quoteOf(mention, specific)}” is specific.`
    reasons.push({ kind: 'specific_keyword', points: 15, sentence, span: specific })
  }
  if (!name && !specific && isNameInSmallLetters(mention, tracker, spans)) {
    const sentence = `“${quoteOf(mention, first)}” is in small letters, like a common word.`
    reasons.push({ kind: 'small_letters', points: -20, sentence, span: first })
  }
  return reasons
}

/** Whether a keyword is written as a name and every occurrence is not. */
function isNameInSmallLetters(mention: JudgedMention, tracker: JudgedTracker, spans: readonly MatchSpan[]) {
  const names = new Set(
    tracker.keywords.flatMap((keyword) =>
      (anchorsOf(parseKeyword(keyword)) ?? [])
        .filter(({ text }) => /^\p{Lu}/u.test(text) && !/\s/.test(text))
        .map(({ folded }) => folded),
    ),
  )
  const written = spans.map((span) => quoteOf(mention, span))
  const isName = (text: string) => names.has(foldedString(text))
  return written.some(isName) && written.filter(isName).every((text) => /^\p{Ll}/u.test(text))
}

/** Returns a function that finds a phrase in a mention. */
function phraseFinder(mention: JudgedMention) {
  const none = { required_keywords: [], excluded_keywords: [], languages: [] }
  const phrase = (text: string | null | undefined) => {
    const plain = (text ?? '')
      .replace(/["“”„«»「」『』＂]/g, ' ')
      .trim()
      .slice(0, 100)
    return foldedString(plain).length < 3 ? [] : [{ ...none, id: text as string, keywords: [`"${plain}"`] }]
  }
  return (text: string | null | undefined) => {
    const [tracker] = phrase(text)
    return tracker
      ? buildMatcher([tracker]).match({ title: mention.title, body: mention.body })[0]?.spans[0]
      : undefined
  }
}

function siteReason(mention: JudgedMention, { website }: JudgedLocation): Reason[] {
  const own = website ? normaliseDomain(website) : null
  const site = phraseFinder(mention)(own)
  return site ? [{ kind: 'names_website', points: 25, sentence: `Names ${own}.`, span: site }] : []
}

function context(mention: JudgedMention, location: JudgedLocation, { spans }: Evidence): Reason[] {
  const { city, business_category, is_online_only } = location
  const named = phraseFinder(mention)
  const reasons = siteReason(mention, location)
  const place = is_online_only ? undefined : named(city)
  if (place) reasons.push({ kind: 'names_place', points: 15, sentence: `Names ${city}.`, span: place })
  const trade = spans.length > 0 ? named(business_category) : undefined
  if (trade) {
    const sentence = `Speaks of “${quoteOf(mention, trade)}”.`
    reasons.push({ kind: 'names_category', points: 10, sentence, span: trade })
  }
  return reasons
}

function noise(mention: JudgedMention): Reason[] {
  const text = `${mention.title ?? ''} ${mention.body}`
  const reasons = findNoise(mention).map(({ rule, spans: [span] }): Reason => {
    const sentence = span ? `${rule.says}: “${quoteOf(mention, span)}”.` : `${rule.says}.`
    return { kind: rule.kind, points: rule.points, sentence, ...(span ? { span } : {}) }
  })
  const tags = text.match(/#\p{L}/gu)?.length ?? 0
  if (tags > hashtagsMax) {
    reasons.push({ kind: 'many_hashtags', points: -20, sentence: `Has ${tags} hashtags.` })
  }
  const links = text.match(/https?:\/\//g)?.length ?? 0
  if (links > linksMax) reasons.push({ kind: 'many_links', points: -20, sentence: `Has ${links} links.` })
  return reasons
}
