import { type Channel, channels } from '../records/channels'
import { anchorsOf } from './anchors'
import { isWordAt } from './characters'
import { fold, foldedString } from './fold'
import {
  KeywordFault,
  type KeywordNode,
  type KeywordRole,
  keywordLimits,
  type PhraseNode,
  type TextField,
} from './node'
import { type KeywordToken, tokensOf } from './tokens'

/** `in:title` and `in:body`, until they are applied to the phrases beside them. */
interface Within {
  readonly kind: 'within'
  readonly field: TextField
}
type Part = KeywordNode | Within

/**
 * Parses a keyword. Throws a KeywordFault with the position of the first mistake and what to write instead. Only
 * required and excluded keywords may consist of fields alone: a keyword must have a phrase to search for.
 */
export function parseKeyword(text: string, role: KeywordRole = 'keywords'): KeywordNode {
  const { lengthMax } = keywordLimits
  if (text.length > lengthMax) {
    throw new KeywordFault(
      `A keyword has at most ${lengthMax} characters. Split it into several keywords`,
      lengthMax,
      text.length - lengthMax,
    )
  }
  const tokens = tokensOf(text)
  if (tokens.length === 0) throw new KeywordFault('Write a word or a phrase', 0, text.length)
  const parser = new Parser(tokens, text.length)
  const node = parser.parse()
  const anchors = anchorsOf(node)
  if (role === 'keywords' && anchors === null) {
    throw new KeywordFault(
      'Add a word that every match must have. NOT and fields alone cannot be searched for',
      0,
      text.length,
    )
  }
  const short = anchors?.find(({ folded }) => isShort.test(folded))
  if (role === 'keywords' && short) {
    throw new KeywordFault(
      `${short.text} alone is too short and would match almost every post. Write at least two characters`,
      short.at,
      short.length,
    )
  }
  if (role !== 'keywords' && isNegative(node)) {
    throw new KeywordFault(
      role === 'excluded_keywords'
        ? 'Write it without NOT: it is excluded already'
        : 'Move it to the excluded keywords, without NOT',
      0,
      text.length,
    )
  }
  return node
}

const isShort = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]$/u

function isNegative(node: KeywordNode): boolean {
  if (node.kind === 'not') return true
  return node.kind === 'and' ? node.of.every(isNegative) : node.kind === 'or' && node.of.some(isNegative)
}

class Parser {
  private at = 0
  private depth = 0
  private phrases = 0

  private readonly tokens: readonly KeywordToken[]
  private readonly end: number

  constructor(tokens: readonly KeywordToken[], end: number) {
    this.tokens = tokens
    this.end = end
  }

  parse(): KeywordNode {
    const node = this.or()
    const rest = this.tokens[this.at]
    if (rest) throw new KeywordFault('Remove this bracket: it closes nothing', rest.at, rest.length)
    return node
  }

  private get next(): KeywordToken | undefined {
    return this.tokens[this.at]
  }

  private or(): KeywordNode {
    const of = [this.and()]
    while (this.next?.kind === 'OR') {
      this.at++
      of.push(this.and())
    }
    return of.length === 1 ? (of[0] as KeywordNode) : { kind: 'or', of }
  }

  private and(): KeywordNode {
    const first = this.at
    const parts = [this.near()]
    for (;;) {
      const { next } = this
      if (!next || next.kind === ')' || next.kind === 'OR') break
      if (next.kind === 'AND') this.at++
      parts.push(this.near())
    }
    const fields = parts.flatMap((part) => (part.kind === 'within' ? [part.field] : []))
    const [field] = fields
    const nodes = parts.filter((part): part is KeywordNode => part.kind !== 'within')
    if (nodes.length === 0 || new Set(fields).size > 1) {
      const token = this.tokens[first] as KeywordToken
      const message =
        nodes.length === 0
          ? 'Add a phrase to look for there, such as "Blue Bottle" in:title'
          : 'Write in:title or in:body, not both. Without in:, both count'
      throw new KeywordFault(message, token.at, token.length)
    }
    const within = field === undefined ? nodes : nodes.map((node) => restricted(node, field))
    return within.length === 1 ? (within[0] as KeywordNode) : { kind: 'and', of: within }
  }

  private near(): Part {
    const start = this.next
    const left = this.unary()
    const { next } = this
    if (next?.kind !== 'NEAR') return left
    this.at++
    const right = this.unary()
    const again = this.next
    if (again?.kind === 'NEAR') {
      throw new KeywordFault(
        'NEAR joins two phrases. For three, write a NEAR/5 b AND b NEAR/5 c',
        again.at,
        again.length,
      )
    }
    const alternatives = (part: Part): PhraseNode[] => {
      const phrases = phrasesOf(part)
      if (phrases) return phrases
      throw new KeywordFault(
        'Beside NEAR, write a phrase or phrases with OR in brackets, such as (boiler OR heating) NEAR/5 repair',
        start?.at ?? next.at,
        next.at + next.length - (start?.at ?? next.at),
      )
    }
    return { kind: 'near', distance: next.distance, left: alternatives(left), right: alternatives(right) }
  }

  private unary(): Part {
    const token = this.next
    if (token?.kind !== 'NOT') return this.primary()
    this.deeper(token)
    this.at++
    const of = this.unary()
    this.depth--
    if (of.kind === 'within') {
      const other = of.field === 'title' ? 'body' : 'title'
      throw new KeywordFault(`Write in:${other} instead`, token.at, token.length)
    }
    return of.kind === 'not' ? of.of : { kind: 'not', of }
  }

  private primary(): Part {
    const token = this.next
    if (!token) throw new KeywordFault('Add a word or a phrase here', Math.max(0, this.end - 1), 1)
    this.at++
    if (token.kind === '(') return this.bracket(token)
    if (token.kind === 'field') return fieldNode(token)
    if (token.kind === 'phrase') return this.phrase(token)
    const message =
      token.kind === ')'
        ? 'Add a word before this bracket'
        : `Add a word or a phrase before ${token.kind}, or put ${token.kind} in quotation marks`
    throw new KeywordFault(message, token.at, token.length)
  }

  private bracket(token: KeywordToken): KeywordNode {
    this.deeper(token)
    const inner = this.or()
    if (this.next?.kind !== ')') {
      throw new KeywordFault('Close this bracket', token.at, token.length)
    }
    this.at++
    this.depth--
    return inner
  }

  private deeper({ at, length }: KeywordToken): void {
    const { depthMax } = keywordLimits
    if (++this.depth <= depthMax) return
    throw new KeywordFault(
      `Brackets and NOT can be ${depthMax} deep. Split the keyword into several keywords`,
      at,
      length,
    )
  }

  private phrase(token: Extract<KeywordToken, { kind: 'phrase' }>): PhraseNode {
    const { phrasesMax, phraseLengthMax } = keywordLimits
    const { at, length, isExact } = token
    const text = token.text.trim()
    if (++this.phrases > phrasesMax) {
      throw new KeywordFault(
        `A keyword has at most ${phrasesMax} phrases. Split it into several keywords`,
        at,
        length,
      )
    }
    if (text.length > phraseLengthMax) {
      throw new KeywordFault(`A phrase has at most ${phraseLengthMax} characters`, at, length)
    }
    const folded = foldedString(text)
    const { codes, length: size } = fold(folded)
    if (![...codes.slice(0, size).keys()].some((place) => isWordAt(codes, place))) {
      throw new KeywordFault('A phrase needs a letter or a digit', at, length)
    }
    const exact = isExact ? foldedString(text, { keepsCase: true }) : null
    return { kind: 'phrase', text, folded, exact, within: null, at, length }
  }
}

/** Returns the phrases of a phrase or of phrases with OR. Null for anything else. */
function phrasesOf(part: Part): PhraseNode[] | null {
  if (part.kind === 'phrase') return [part]
  if (part.kind !== 'or') return null
  const all = part.of.map(phrasesOf)
  return all.every((one) => one !== null) ? all.flat() : null
}

/** Limits the phrases of a node to a field. Phrases after NOT keep both fields. */
function restricted(node: KeywordNode, field: TextField): KeywordNode {
  const phrase = (one: PhraseNode): PhraseNode => ({ ...one, within: one.within ?? field })
  if (node.kind === 'phrase') return phrase(node)
  if (node.kind === 'near') return { ...node, left: node.left.map(phrase), right: node.right.map(phrase) }
  if (node.kind === 'and' || node.kind === 'or') {
    return { ...node, of: node.of.map((one) => restricted(one, field)) }
  }
  return node
}

function fieldNode({ field, value, at, length }: Extract<KeywordToken, { kind: 'field' }>): Part {
  if (field === 'in') {
    const within = value.toLowerCase()
    if (within === 'title' || within === 'body') return { kind: 'within', field: within }
    throw new KeywordFault('Write in:title or in:body', at, length)
  }
  if (field === 'lang') {
    if (/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i.test(value)) {
      return { kind: 'field', field, value: value.toLowerCase() }
    }
    throw new KeywordFault('Write a language tag such as lang:en or lang:pt-BR', at, length)
  }
  if (field === 'author') return { kind: 'field', field, value: value.replace(/^@/, '').toLowerCase() }
  if (field === 'source')
    return { kind: 'field', field, value: channelNamed(value.toLowerCase(), at, length) }
  return { kind: 'field', field, value: siteOf(value, at, length) }
}

/** Names that people use for channels, and hosts of their platforms. */
const otherChannels: Readonly<Record<string, Channel>> = {
  twitter: 'x',
  tweet: 'x',
  fb: 'facebook',
  meta: 'facebook',
  insta: 'instagram',
  ig: 'instagram',
  yt: 'youtube',
  hn: 'hackernews',
  ycombinator: 'hackernews',
  'hacker-news': 'hackernews',
  bsky: 'bluesky',
  fediverse: 'mastodon',
  github: 'forum',
  stackexchange: 'forum',
  stackoverflow: 'forum',
  discourse: 'forum',
  gdelt: 'news',
  brave: 'web',
  rss: 'blog',
}

/** Returns the channel of this name. Any other value would match no post. */
function channelNamed(value: string, at: number, length: number): Channel {
  const channel = channels.find((one) => one === value)
  if (channel !== undefined) return channel
  const bare = value.replace(/^www\./, '').replace(/\.(?:com|org|net|app|social)$/, '')
  const instead =
    channels.find((one) => one === bare || `${one}s` === bare) ??
    (Object.hasOwn(otherChannels, bare) ? otherChannels[bare] : undefined)
  const message =
    instead === undefined
      ? `There is no source ${value}. Write one of ${channels.join(', ')}`
      : `There is no source ${value}. Write source:${instead}`
  throw new KeywordFault(message, at, length)
}

function siteOf(value: string, at: number, length: number): string {
  const plain = value
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^(?:www\.)?/, '')
  const host = plain.split('/', 1)[0] ?? ''
  if (/^[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}$/u.test(host)) {
    return plain.endsWith('/') ? plain.slice(0, -1) : plain
  }
  throw new KeywordFault('Write a domain such as site:example.com', at, length)
}
