import type { FeedItem } from './feed-item'

/** A field of an item that is a text. */
export type TextField = Exclude<keyof FeedItem, 'links' | 'otherDates'>

/** The elements of an item and the field that each fills, the best element first. */
const fields: readonly (readonly [element: string, field: TextField])[] = [
  ['guid', 'id'],
  ['id', 'id'],
  ['dc:identifier', 'id'],
  ['title', 'title'],
  ['dc:title', 'title'],
  ['itunes:title', 'title'],
  ['media:title', 'title'],
  ['content:encoded', 'html'],
  ['content', 'html'],
  ['xhtml:body', 'html'],
  ['description', 'html'],
  ['summary', 'html'],
  ['dc:description', 'html'],
  ['dcterms:abstract', 'html'],
  ['itunes:summary', 'html'],
  ['media:description', 'html'],
  ['itunes:subtitle', 'html'],
  ['atom:content', 'html'],
  ['atom:summary', 'html'],
  ['dc:creator', 'author'],
  ['name', 'author'],
  ['author', 'author'],
  ['atom:name', 'author'],
  ['itunes:author', 'author'],
  ['media:credit', 'author'],
  ['uri', 'authorUrl'],
  ['url', 'authorUrl'],
  ['atom:uri', 'authorUrl'],
  ['pubdate', 'published'],
  ['published', 'published'],
  ['issued', 'published'],
  ['dc:date', 'published'],
  ['dcterms:created', 'published'],
  ['dcterms:issued', 'published'],
  ['atom:published', 'published'],
  ['updated', 'updated'],
  ['modified', 'updated'],
  ['dcterms:modified', 'updated'],
  ['atom:updated', 'updated'],
  ['comments', 'parent'],
]
const fieldOf = new Map(fields)
const rankOf = new Map(fields.map(([element], rank) => [element, rank]))

/** Returns the field that an element fills. Undefined if it fills none. */
export const fieldNamed = (element: string): TextField | undefined => fieldOf.get(element)

/** Returns the place of an element among those that fill the same field: the lowest wins. */
export const rankNamed = (element: string): number => rankOf.get(element) ?? fields.length

const itemNames = new Set(['item', 'entry'])
const mediaNames = new Set(['media:group', 'media:content'])

/** Whether an element begins an item. */
export const isItem = (name: string): boolean => itemNames.has(name)

/** Whether an element belongs to the item itself, not to a feed or a picture within it. */
export function isOwnField(name: string, parent: string | undefined, above: string | undefined): boolean {
  if (name === 'name' || name === 'uri' || name === 'url') return parent === 'author'
  if (name === 'atom:name' || name === 'atom:uri') return parent === 'atom:author'
  if (name.startsWith('media:') && mediaNames.has(parent ?? ''))
    return mediaNames.has(above ?? '') || isItem(above ?? '')
  return isItem(parent ?? '')
}

type Attributes = Readonly<Record<string, string>>
const writerRoles = new Set(['author', 'owner', 'uploader'])

/** Whether a `media:credit` names who wrote the post. Most name who made a picture in it. */
export const isWriter = ({ role }: Attributes, parent: string | undefined): boolean =>
  role === undefined ? parent !== 'media:content' : writerRoles.has(role.trim().toLowerCase())

/** The kinds of addresses of an item, the best first. */
export const linkRanks = {
  /** The address before a service that counts readers put its own in its place. */
  original: -1,
  alternate: 0,
  /** The post in a form for programs, such as JSON. */
  otherForm: 0.5,
  permalink: 1,
  about: 2,
  id: 3,
  content: 4,
  enclosure: 5,
  related: 6,
  self: 7,
} as const

type LinkKind = keyof typeof linkRanks

const relations = new Map<string, LinkKind>([
  ['alternate', 'alternate'],
  ['http://www.iana.org/assignments/relation/alternate', 'alternate'],
  ['enclosure', 'enclosure'],
  ['related', 'related'],
  ['via', 'related'],
  ['canonical', 'alternate'],
  ['self', 'self'],
])

/** Returns the address that the attributes of an element give, and its kind. Undefined if they give none. */
export function linkOf(name: string, attributes: Attributes): readonly [LinkKind, string] | undefined {
  const { rel = 'alternate', href = '', url = '', src = '', type = 'text/html' } = attributes
  if (name === 'link' && href !== '') {
    const kind = relations.get(rel.trim().toLowerCase())
    const isForPeople = kind !== 'alternate' || /html/i.test(type) || type.trim() === ''
    return kind && [isForPeople ? kind : 'otherForm', href]
  }
  if (name === 'enclosure' && url !== '') return ['enclosure', url]
  if ((name === 'media:content' || name === 'media:player') && url !== '') return ['enclosure', url]
  return name === 'content' && src !== '' ? ['content', src] : undefined
}
