import { addressesIn, unfitText } from '../kit/stated-contacts'
import { type TextUnit, textLength } from '../kit/text-length'
import { datedFacts } from './calendar'
import { claimWordsOf } from './claim-words'
import { type ClaimKind, claimsIn, type DraftClaim, type NameRule } from './claims'
import { isBacked, siteKey } from './stated-facts'
import { beforeApostrophe, comparable, sentencesIn } from './tokens'

/** What a draft may rest on. */
export interface DraftGround {
  /** What the business says about itself or wants said. A draft may claim it. */
  readonly facts: readonly string[]
  /** What a stranger said: the review or the post. A draft may repeat its numbers, days and names, and promises none of it. */
  readonly said?: readonly string[]
  readonly website?: string | undefined
  readonly phone?: string | undefined
  /** Names of other businesses, which a draft may not name. */
  readonly rivals?: readonly string[]
  /** Languages of the draft, as tags. Default: English. */
  readonly languages: readonly string[]
  /** Kinds of claims in words that are usual in drafts of this kind, and are not refused. */
  readonly unchecked?: readonly ClaimKind[]
  /** Which words in capitals count as names. Default: those of people. */
  readonly names?: NameRule
}

/** What a channel accepts. Data of the platform, or of the plugin that sends to it. */
export interface DraftChannel {
  /** The platform for people, such as `Bluesky`. */
  readonly label: string
  /** Maximum length. Undefined if nothing is known. */
  readonly textMax?: number | undefined
  readonly countedIn?: TextUnit | undefined
  /** `none` if the channel takes no links. Default: those that are known. */
  readonly links?: 'known' | 'none' | undefined
  /** Sentences of which one must be in the text, because the channel's users demand to know who writes. */
  readonly disclosures?: readonly string[] | undefined
}

/** Why a draft is refused or warned about. */
export interface DraftFault {
  readonly code: ClaimKind | 'unfit' | 'length' | 'link' | 'disclosure'
  /** For people, as the end of a sentence, with the words that it is about. */
  readonly why: string
  /** The words of the draft that it is about. Empty if it is about all of it. */
  readonly quote: string
  /** Whether the channel cannot take the text, also if a person wrote it. */
  readonly isImpossible: boolean
}

/** The characters that a draft of any channel may have. */
const charactersMax = 10_000

const words: Readonly<Record<ClaimKind, string>> = {
  address: 'it names an address that is not your own',
  telephone: 'it names a telephone number that is not your own',
  number: 'it names a number that nobody gave',
  price: 'it names a price or a percentage that nobody gave',
  deal: 'it promises a discount or something free of charge',
  time: 'it names a day, a date or hours that nobody gave',
  street: 'it names a street that nobody gave',
  name: 'it names somebody whom nobody named',
  guarantee: 'it guarantees something',
  compensation: 'it promises money back or a replacement',
  promise: 'it says what you did or will do',
  admission: 'it admits guilt or liability',
  rival: 'it speaks of other businesses, or claims to be better',
  dispute: 'it contradicts or blames the reader',
  rating: 'it asks for a review, a rating or its removal',
  law: 'it speaks of law or the police',
  contact: 'it sends the reader to another contact or page',
  practice: 'it claims something about your business that nobody gave',
  credential: 'it claims a certificate, an award or experience that nobody gave',
  private: 'it speaks of private matters',
  machine: 'it speaks of instructions or of the machine that wrote it',
}

/** Claims that a fact of the business cannot make right. */
const neverKnown: ReadonlySet<ClaimKind> = new Set(['dispute', 'admission', 'machine'])
/** Claims that may be repeated from what a stranger said. */
const repeatable: ReadonlySet<ClaimKind> = new Set([
  'number',
  'price',
  'time',
  'street',
  'name',
  'private',
  'practice',
  'credential',
])

/**
 * Checks a draft for a review, a post of somebody else or a post of the business. Returns everything that a machine may not
 * write and a person should look at: claims that nothing backs, and what the channel does not take. Each is said with its words.
 */
export function guardDraft(text: string, ground: DraftGround, channel?: DraftChannel): readonly DraftFault[] {
  const unfit = unfitText(text, charactersMax)
  if (unfit !== null) return [fault('unfit', unfit)]
  return [...claimsAbout(text, ground), ...(channel === undefined ? [] : channelFaults(text, channel))]
}

/** Returns what a text claims that nothing backs: the first claim of each kind. */
export function claimsAbout(text: string, ground: DraftGround): readonly DraftFault[] {
  const known = knownClaims(ground)
  const unknown = claimsIn(text, ground.languages, ground.names).filter(
    (claim) => !known(claim) && !(ground.unchecked?.includes(claim.kind) && !isExact(claim.key)),
  )
  const isInPrice = ({ kind, quote }: DraftClaim) =>
    kind === 'number' && unknown.some((one) => one.kind === 'price' && one.quote.includes(quote))
  const told = unknown.filter((claim) => !isInPrice(claim))
  const claimed = [...Map.groupBy(told, ({ kind }) => kind).values()].flatMap(([first]) => first ?? [])
  return [
    ...claimed.map(({ kind, quote }) => fault(kind, words[kind], quote)),
    ...rivalFaults(text, ground.rivals ?? []),
  ]
}

/** Returns what a channel does not take, or its users do not accept. */
export function channelFaults(text: string, channel: DraftChannel): readonly DraftFault[] {
  const { label, textMax, countedIn = 'graphemes', links = 'known', disclosures } = channel
  const faults: DraftFault[] = []
  const length = textLength(text, countedIn)
  if (textMax !== undefined && length > textMax) {
    const unit = countedIn === 'bytes' ? 'bytes' : 'characters'
    faults.push({
      ...fault('length', `it has ${length} ${unit}, and ${label} takes at most ${textMax}`),
      isImpossible: true,
    })
  }
  const [link] = links === 'none' ? addressesIn(text) : []
  if (link !== undefined) faults.push(fault('link', `${label} takes no links`, link.written))
  if (disclosures !== undefined && !disclosures.some((sentence) => text.includes(sentence))) {
    faults.push(fault('disclosure', `it does not say that you work for the business, which ${label} demands`))
  }
  return faults
}

/** Returns a fault as a warning for people. */
export const faultText = ({ why, isImpossible }: DraftFault): string =>
  isImpossible ? `Shorten it before you send it: ${why}.` : `Check this before you send it: ${why}.`

/** Returns faults as one sentence for people. */
export const faultsText = (faults: readonly DraftFault[]): string => faults.map(({ why }) => why).join('; ')

const fault = (code: DraftFault['code'], why: string, quote = ''): DraftFault => ({
  code,
  why: quote === '' ? why : `${why}: “${quote}”`,
  quote,
  isImpossible: false,
})

function rivalFaults(text: string, rivals: readonly string[]): DraftFault[] {
  const said = ` ${bare(text)} `
  return rivals
    .filter((name) => bare(name) !== '' && said.includes(` ${bare(name)} `))
    .slice(0, 1)
    .map((name) => fault('rival', 'it names another business', name))
}

const bare = (text: string) =>
  sentencesIn(text, 'en')
    .flat()
    .map(({ word }) => beforeApostrophe(word))
    .join(' ')

/** How a text speaks of the business's own website, which it may if there is one. */
const websiteWords =
  'our website. our site. website. webseite. homepage. notre site. site internet. nuestra web. página web. sito. strona internetowa. naszej stronie. web sitemiz. сайт. موقعنا. site. hemsida.'

/** Returns whether a claim is known. */
function knownClaims(ground: DraftGround): (claim: DraftClaim) => boolean {
  const { facts, said = [], website, phone, languages } = ground
  const own = [...facts, ...(website ? [websiteWords] : [])].join('\n')
  const ownClaims = claimsIn(own, languages, 'all')
  const keys = new Set([...ownClaims.map(({ key }) => key), ...datedFacts(own)])
  const kinds = new Set(ownClaims.flatMap(({ kind, key }) => (isExact(key) ? [] : [kind])))
  if (website !== undefined && website !== '') keys.add(siteKey(website))
  const digits = (phone ?? '').replace(/\D/g, '').slice(-8)
  if (digits !== '') keys.add(`tel ${digits}`)
  const strange = said.join('\n')
  const repeated = claimsIn(strange, languages, 'all').filter(({ kind }) => repeatable.has(kind))
  const numbers = numberKeysIn([own, strange].join('\n'), languages)
  const repeatedKeys = new Set([...repeated.map(({ key }) => key), ...datedFacts(strange), ...numbers])
  const heard = new Set(languages.flatMap((language) => comparableWords([own, strange].join('\n'), language)))
  return ({ kind, key, quote }) => {
    if (neverKnown.has(kind)) return false
    if (isBacked(key, keys)) return true
    // One known contact does not make another one known.
    if (!isExact(key) && kinds.has(kind) && kind !== 'contact') return true
    if (!repeatable.has(kind)) return false
    if (repeatedKeys.has(key)) return true
    if (kind === 'name') return languages.some((language) => isHeard(quote, language, heard))
    return kind !== 'number' && !isExact(key) && repeated.some((one) => sameStem(one.key, key))
  }
}

/** Returns the keys of numbers in words, also of those that count nothing here. */
const numberKeysIn = (text: string, languages: readonly string[]): string[] =>
  languages.flatMap((language) => {
    const words = claimWordsOf(language)
    return words === null
      ? []
      : comparableWords(text, words.language).flatMap((word) => {
          const value = words.numbers.get(word)
          return value === undefined ? [] : [`number ${value}`]
        })
  })

/** Keys of facts that have one meaning. The others are the first word of a phrase. */
const isExact = (key: string) => /^(?:web|mail|tel|number|amount|street|weekday|month|name) /.test(key)

const sameStem = (a: string, b: string) => {
  const length = b.indexOf(' ') + 5
  return a.slice(0, length) === b.slice(0, length)
}

const comparableWords = (text: string, language: string) =>
  sentencesIn(text, language)
    .flat()
    .map(({ word }) => word)

/** Whether a name was said, perhaps with another ending. */
function isHeard(quote: string, language: string, heard: ReadonlySet<string>): boolean {
  const word = beforeApostrophe(comparable(quote, language))
  if (heard.has(word)) return true
  const stem = word.slice(0, Math.max(3, word.length - 2))
  return [...heard].some((one) => one.startsWith(stem) && Math.abs(one.length - word.length) <= 3)
}
