import { Parser } from 'htmlparser2'
import { type Feed, FeedError, type FeedItem, type FeedLink, itemsMax } from './feed-item'
import {
  fieldNamed,
  isItem,
  isOwnField,
  isWriter,
  linkOf,
  linkRanks,
  rankNamed,
  type TextField,
} from './xml-fields'
import { nameIn, type Prefixes, scopeWithin } from './xml-names'

const depthMax = 100
const roots = new Set(['rss', 'feed', 'rdf:rdf'])
const breaks = new Set(['p', 'div', 'li', 'tr', 'td', 'blockquote', 'h1', 'h2', 'h3', 'h4'])
/** Elements of HTML that have no end. Feeds that do not escape it leave them open. */
const voids = new Set(['br', 'hr', 'img', 'input', 'wbr'])
/** Output of a program that stands before the feed is at most this long. */
const startMax = 65_536
/** Other work goes on after each part of a feed of this many characters. */
const partSize = 131_072

type Attributes = Readonly<Record<string, string>>
type Draft = { -readonly [K in TextField]?: string } & {
  found: (FeedLink & { readonly rank: number })[]
  dates: string[]
}

interface Open {
  readonly name: string
  readonly attributes: Attributes
  readonly scope: Prefixes
  readonly base: string | undefined
  /** Whether the element is a text that is written as XHTML, or is inside one. */
  readonly isMarkup: boolean
  text: string
}

/**
 * Returns where a feed begins: after what a program printed before it. Undefined if there is none, such as in a page.
 */
export function feedStart(text: string): number | undefined {
  const start = text.slice(0, startMax)
  const found =
    /<(?:\?xml\s|!doctype\s{1,9}html|html[\s>]|rss[\s>]|(?:[\w-]{1,40}:)?feed[\s>]|(?:[\w-]{1,40}:)?rdf[\s>])/i.exec(
      start,
    )
  if (found === null) return undefined
  if (!/^<(?:!doc|html)/i.test(found[0])) return found.index
  // A program may print a whole page of its mistakes before the feed.
  const late = /<\?xml\s[^>]{0,200}>\s{0,200}<(?:rss|feed|rdf:rdf)[\s>]/i.exec(start.slice(found.index))
  return late === null ? undefined : found.index + late.index
}

/**
 * Reads RSS, RDF or Atom. Document types and entities of the document are ignored, and nothing is fetched. Throws a FeedError if
 * the text is not such a feed. Of a feed whose end is missing, the whole items are returned.
 */
export async function readXmlFeed(xml: string): Promise<Feed> {
  const walk = new Walk()
  const parser = new Parser(walk, { xmlMode: true, decodeEntities: true })
  for (let at = feedStart(xml) ?? 0; at < xml.length; at += partSize) {
    parser.write(xml.slice(at, at + partSize))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return walk.feed()
}

/** The way through one document. */
class Walk {
  readonly #open: Open[] = []
  readonly #items: FeedItem[] = []
  readonly #ranks = new Map<TextField, number>()
  #draft: Draft | null = null
  #home: FeedLink | undefined
  #language: string | undefined
  #author: string | undefined
  #root = ''
  #itemDepth = 0
  #left = 0
  #isClosed = false

  onopentag(given: string, attributes: Attributes): void {
    if (this.#isClosed) return
    const above = this.#open.at(-1)
    if (above?.isMarkup && voids.has(localName(given.toLowerCase()))) {
      above.text += '\n'
      return
    }
    const scope = scopeWithin(above?.scope ?? new Map(), attributes)
    const name = nameIn(scope, given, this.#root === 'feed' || this.#root === '')
    if (above === undefined) {
      if (!roots.has(name)) throw new FeedError('is not a feed')
      this.#root = name
    }
    if (this.#open.length >= depthMax) throw new FeedError(`is nested deeper than ${depthMax} levels`)
    const isMarkup = above?.isMarkup === true || (texts.has(name) && this.#draft !== null)
    const base = baseWithin(above?.base, attributes['xml:base'])
    this.#open.push({ name, attributes, scope, base, isMarkup, text: '' })
    if (isItem(name) && !isMarkup) this.#startItem(attributes, base)
    else if (this.#draft === null) this.#readFeedAttributes(name, attributes, base)
    else if (isOwnField(name, above?.name, this.#open.at(-3)?.name)) {
      const link = linkOf(name, attributes)
      if (link) this.#addLink(linkRanks[link[0]], link[1], base)
      if (name === 'thr:in-reply-to') this.#set('parent', attributes.href ?? '', -1)
    }
  }

  ontext(part: string): void {
    const last = this.#open.at(-1)
    if (last !== undefined) last.text += part
  }

  onclosetag(given: string): void {
    if (this.#open.at(-1)?.isMarkup && voids.has(localName(given.toLowerCase()))) return
    const last = this.#open.pop()
    if (last === undefined) return
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#isClosed = true
    if (this.#draft !== null && this.#open.length === this.#itemDepth) this.#endItem()
    // XHTML within a text is read as the words of that text.
    else if (parent?.isMarkup)
      parent.text += breaks.has(localName(last.name)) ? lineAfter(parent.text, last.text) : last.text
    else if (this.#draft === null) this.#readFeedText(last, parent)
    else if (isOwnField(last.name, parent?.name, this.#open.at(-2)?.name)) this.#readField(last)
  }

  feed(): Feed {
    if (this.#root === '') throw new FeedError('is not a feed')
    const isCut = !this.#isClosed
    if (isCut && this.#items.length === 0) throw new FeedError('ends in its middle')
    return {
      items: this.#items,
      left: this.#left,
      isCut,
      ...(this.#home ? { home: this.#home } : {}),
      ...(this.#language ? { language: this.#language } : {}),
      ...(this.#author ? { author: this.#author } : {}),
    }
  }

  #startItem(attributes: Attributes, base: string | undefined): void {
    // Nobody closed the item before.
    this.#endItem()
    this.#draft = { found: [], dates: [] }
    this.#itemDepth = this.#open.length - 1
    this.#ranks.clear()
    const about = attributes['rdf:about']
    if (about) this.#draft.found.push({ href: about, rank: linkRanks.about, ...(base ? { base } : {}) })
    if (attributes['xml:lang']) this.#draft.language = attributes['xml:lang']
  }

  #endItem(): void {
    if (this.#draft === null) return
    const { found, dates, ...item } = this.#draft
    this.#draft = null
    if (this.#items.length >= itemsMax) this.#left++
    else
      this.#items.push({
        ...item,
        ...(dates.length > 1 ? { otherDates: dates } : {}),
        links: found.toSorted((a, b) => a.rank - b.rank).map(withoutRank),
      })
  }

  /** What the elements of the feed itself say by their attributes. */
  #readFeedAttributes(name: string, attributes: Attributes, base: string | undefined): void {
    if (attributes['xml:lang']) this.#language ??= attributes['xml:lang']
    const link = name === 'link' && this.#open.at(-2)?.name === 'feed' ? linkOf(name, attributes) : undefined
    if (link?.[0] === 'alternate') this.#home ??= { href: link[1], ...(base ? { base } : {}) }
  }

  #readFeedText({ name, text, base }: Open, parent: Open | undefined): void {
    if (name === 'name' && parent?.name === 'author' && this.#open.at(-2)?.name === 'feed')
      this.#author ??= text.trim()
    if (name === 'language' || name === 'dc:language') this.#language ??= text.trim()
    if (name === 'link' && parent?.name === 'channel' && text.trim() !== '')
      this.#home ??= { href: text.trim(), ...(base ? { base } : {}) }
  }

  #readField({ name, attributes, text, base }: Open): void {
    const plain = text.trim()
    if (name === 'link') this.#addLink(linkRanks.alternate, plain, base)
    if (name === 'guid' || name === 'id') this.#addIdLink(name, plain, attributes, base)
    if (name === 'feedburner:origlink') this.#addLink(linkRanks.original, plain, base)
    if (name === 'media:credit' && !isWriter(attributes, this.#open.at(-1)?.name)) return
    if (name === 'dc:language') this.#set('language', plain, 0)
    const field = fieldNamed(name)
    if (field === undefined) return
    const isPlain = field === 'html' && (attributes.type === 'text' || attributes.type === 'plain')
    this.#set(isPlain ? 'text' : field, field === 'html' ? text : plain, rankNamed(name))
  }

  /** An id is an address of the post if it looks like one, unless the feed says that it is none. */
  #addIdLink(name: string, text: string, attributes: Attributes, base: string | undefined): void {
    const { isPermaLink, ispermalink = isPermaLink } = attributes
    const said = ispermalink?.trim().toLowerCase()
    if (said === 'true' && /^\/(?!\/)/.test(text)) this.#addLink(linkRanks.permalink, text, base)
    if (!/^https?:\/\//i.test(text)) return
    this.#addLink(name === 'guid' && said !== 'false' ? linkRanks.permalink : linkRanks.id, text, base)
  }

  #addLink(rank: number, href: string, base: string | undefined): void {
    // A post has few addresses. Thousands are an attack on the memory.
    if (href !== '' && this.#draft !== null && this.#draft.found.length < 20)
      this.#draft.found.push({ href, rank, ...(base ? { base } : {}) })
  }

  #set(field: TextField, value: string, rank: number): void {
    if (this.#draft === null || value.trim() === '') return
    if (field === 'published' && this.#draft.dates.length < 5) this.#draft.dates.push(value)
    if ((this.#ranks.get(field) ?? Number.POSITIVE_INFINITY) <= rank) return
    this.#draft[field] = value
    this.#ranks.set(field, rank)
  }
}

/** Elements whose markup is part of their text, also if nobody escaped it. */
const texts = new Set([
  'content',
  'summary',
  'title',
  'description',
  'content:encoded',
  'xhtml:body',
  'atom:content',
  'atom:summary',
])
const lineAfter = (before: string, text: string) => `${/(?:^|\n)$/.test(before) ? '' : '\n'}${text}\n`
const localName = (name: string) => name.slice(name.indexOf(':') + 1)
const withoutRank = ({ href, base }: FeedLink): FeedLink => (base === undefined ? { href } : { href, base })

/** A base within another one is relative to it. */
function baseWithin(above: string | undefined, own: string | undefined): string | undefined {
  if (own === undefined || own.trim() === '') return above
  return above === undefined ? own.trim() : (URL.parse(own.trim(), above)?.href ?? own.trim())
}
