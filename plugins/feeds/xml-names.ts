/** The vocabularies that Renown reads, by their addresses without scheme, `www.` and a slash at the end. */
const vocabularies = new Map([
  ['w3.org/2005/atom', 'atom'],
  ['purl.org/atom/ns#', 'atom'],
  ['w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['w3.org/1999/xhtml', 'xhtml'],
  ['purl.org/rss/1.0', 'rss'],
  ['my.netscape.com/rdf/simple/0.9', 'rss'],
  ['channel.netscape.com/rdf/simple/0.9', 'rss'],
  ['backend.userland.com/rss2', 'rss'],
  ['purl.org/rss/1.0/modules/content', 'content'],
  ['purl.org/dc/elements/1.1', 'dc'],
  ['purl.org/dc/terms', 'dcterms'],
  ['search.yahoo.com/mrss', 'media'],
  ['itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
  ['purl.org/syndication/thread/1.0', 'thr'],
  ['rssnamespace.org/feedburner/ext/1.0', 'feedburner'],
])

type Attributes = Readonly<Record<string, string>>

/** The vocabulary of each prefix at one place of a document. The empty prefix is that of names without one. */
export type Prefixes = ReadonlyMap<string, string>

const vocabularyOf = (address: string) =>
  vocabularies.get(
    address
      .trim()
      .slice(0, 200)
      .toLowerCase()
      .replace(/^https?:\/\/(?:www\.)?/, '')
      .replace(/\/$/, ''),
  )

/** Returns the scope within an element. The same scope if the element declares nothing. */
export function scopeWithin(scope: Prefixes, attributes: Attributes): Prefixes {
  let own: Map<string, string> | undefined
  for (const name in attributes) {
    if (!name.startsWith('xmlns')) continue
    own ??= new Map(scope)
    const prefix = name.slice(6).toLowerCase()
    own.set(prefix, vocabularyOf(attributes[name] ?? '') ?? (prefix === '' ? '' : prefix))
  }
  return own ?? scope
}

/**
 * Returns the name of an element in lower case with the usual prefix of its vocabulary, whatever prefix the document uses. Names
 * of the feed's own vocabulary have no prefix: those of RSS, and those of Atom in a feed that is Atom.
 */
export function nameIn(scope: Prefixes, given: string, isAtom: boolean): string {
  const name = given.toLowerCase()
  const colon = name.indexOf(':')
  const prefix = colon < 0 ? '' : name.slice(0, colon)
  const local = name.slice(colon + 1)
  const vocabulary = scope.get(prefix) ?? prefix
  const isOwn =
    vocabulary === '' || vocabulary === 'rss' || (vocabulary === 'atom' && (isAtom || prefix === ''))
  return isOwn ? local : `${vocabulary}:${local}`
}
