import { Parser } from 'htmlparser2'
import { type Feed, FeedError, type FeedItem, itemsMax } from './feed-item'

const depthMax = 100
const roots = new Set(['rss', 'feed', 'rdf:rdf'])
const breaks = new Set(['p', 'div', 'br', 'li', 'tr', 'blockquote', 'h1', 'h2', 'h3', 'h4'])

type Field = keyof FeedItem
type Draft = { -readonly [K in Field]?: FeedItem[K] }

/** The elements of an item and the field that each fills, the best element first. */
const fields: readonly (readonly [element: string, field: Field])[] = [
  ['guid', 'id'],
  ['id', 'id'],
  ['link', 'link'],
  ['title', 'title'],
  ['content:encoded', 'html'],
  ['content', 'html'],
  ['description', 'html'],
  ['summary', 'html'],
  ['dc:creator', 'author'],
  ['name', 'author'],
  ['author', 'author'],
  ['uri', 'authorUrl'],
  ['pubdate', 'published'],
  ['published', 'published'],
  ['dc:date', 'published'],
  ['updated', 'updated'],
  ['comments', 'parent'],
]
const fieldOf = new Map(fields)
const rankOf = new Map(fields.map(([element], rank) => [element, rank]))

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

/**
 * Reads RSS, RDF or Atom. Document types and entities of the document are ignored, and nothing is fetched. Throws a
 * FeedError if the text is not such a feed, or if its end is missing.
 */
export function readXmlFeed(xml: string): Feed {
  const walk = createWalk()
  const parser = new Parser(walk.handler, { xmlMode: true, decodeEntities: true })
  parser.write(xml)
  return walk.feed()
}

function createWalk() {
  const open: Open[] = []
  const items: FeedItem[] = []
  const feed: { language?: string } = {}
  let draft = null as Draft | null
  let ranks = new Map<Field, number>()
  let isClosed = false
  let root = ''

  const set = (field: Field, value: string, rank: number) => {
    if (draft === null || value === '' || (ranks.get(field) ?? Number.POSITIVE_INFINITY) <= rank) return
    draft[field] = value
    ranks.set(field, rank)
  }
  const startItem = () => {
    draft = {}
    ranks = new Map()
  }
  return {
    handler: {
      onopentag(given: string, attributes: Readonly<Record<string, string>>) {
        const name = given.toLowerCase()
        if (open.length === 0) {
          if (root !== '' || !roots.has(name)) throw new FeedError('is not a feed')
          root = name
        }
        if (open.length >= depthMax) throw new FeedError(`is nested deeper than ${depthMax} levels`)
        open.push({ name, attributes, text: '' })
        if (name === 'item' || name === 'entry') startItem()
        else if (draft !== null) {
          if (name === 'link') setLink(attributes, set)
          if (name === 'thr:in-reply-to') set('parent', attributes.href ?? '', 0)
        } else if (attributes['xml:lang']) feed.language ??= attributes['xml:lang']
      },
      ontext(part: string) {
        const last = open.at(-1)
        if (last !== undefined) last.text += part
      },
      onclosetag(given: string) {
        const name = given.toLowerCase()
        const last = open.pop()
        if (last === undefined) return
        if (open.length === 0) isClosed = true
        if (draft === null) {
          if (name === 'language') feed.language ??= last.text.trim()
          return
        }
        if (name === 'item' || name === 'entry') {
          if (items.length < itemsMax) items.push(draft)
          draft = null
          return
        }
        // XHTML within a text is read as the words of that text.
        const parent = open.at(-1)
        const field = fieldOf.get(name)
        if (field === undefined || isInText(open)) {
          if (parent !== undefined && isInText(open))
            parent.text += breaks.has(name) ? `${last.text}\n` : last.text
          return
        }
        if (!isOwnField(name, parent)) return
        const isPlain = field === 'html' && last.attributes.type === 'text'
        set(isPlain ? 'text' : field, field === 'html' ? last.text : last.text.trim(), rankOf.get(name) ?? 99)
      },
    },
    feed(): Feed {
      if (!isClosed) throw new FeedError(root === '' ? 'is not a feed' : 'ends in its middle')
      return { ...feed, items }
    },
  }
}

/** Whether an element belongs to the item itself, not to a feed or a picture within it. */
const isOwnField = (name: string, parent: Open | undefined) =>
  name === 'name' || name === 'uri' ? parent?.name === 'author' : /^(?:item|entry)$/.test(parent?.name ?? '')

const texts = new Set(['content', 'summary', 'title'])
const isInText = (open: readonly Open[]) =>
  open.some(({ name, attributes }) => texts.has(name) && attributes.type === 'xhtml')

function setLink(
  { rel = 'alternate', href = '' }: Readonly<Record<string, string>>,
  set: (field: Field, value: string, rank: number) => void,
) {
  if (rel === 'alternate') set('link', href, 0)
  if (rel === 'self') set('link', href, 98)
}
