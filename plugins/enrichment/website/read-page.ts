import { type Handler, Parser } from 'htmlparser2'
import { isHidden, isSilent } from './hidden'
import { pageBounds, type SitePage } from './page'
import { createNotes, type Notes } from './page-notes'

/** Characters that are parsed at once. In between, other work can run. */
const sliceCharacters = 64 * 1024

/**
 * Reads a page: visible words, links, and its structured data. Tolerates bad HTML. Limits size, depth and number.
 * Runs and fetches nothing. Never throws.
 */
export async function readPage(html: string, address: string, fetched_at: string): Promise<SitePage> {
  const notes = createNotes(address)
  const walk = createWalk(notes)
  const parser: Parser = new Parser(walk.handler, { decodeEntities: true })
  for (let at = 0; at < html.length && !walk.isOver(); at += sliceCharacters) {
    parser.write(html.slice(at, at + sliceCharacters))
    if (at + sliceCharacters < html.length) await Bun.sleep(0)
  }
  if (!walk.isOver()) parser.end()
  notes.endBlock()
  return { url: address, fetched_at, ...notes.page(), isCut: walk.isOver() || notes.isFull() }
}

const blocks = new Set(
  `address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6
   header hgroup hr li main ol option p pre section summary table tbody td tfoot th thead tr ul html head`.split(
    /\s+/,
  ),
)
const headings = new Set(['h1', 'h2', 'h3'])

/** Follows the parser from element to element and passes on what is visible or data. */
function createWalk(notes: Notes) {
  let depth = 0
  let elements = 0
  let isOver = false
  /** Depth of the outermost element whose text is ignored or hidden. */
  let silentAt: number | null = null
  let hiddenAt: number | null = null
  let parser: Parser | undefined
  const stop = () => {
    isOver = true
    parser?.pause()
  }
  const handler: Partial<Handler> = {
    onparserinit(own) {
      parser = own
    },
    onopentag(name, attributes) {
      if (isOver) return
      depth++
      if (++elements > pageBounds.elements || depth > pageBounds.depth) return stop()
      if (hiddenAt === null && isHidden(attributes)) hiddenAt = depth
      if (silentAt === null && isSilent(name)) silentAt = depth
      if (blocks.has(name)) notes.endBlock()
      const isOwn = name !== 'title' || silentAt === null
      if (isOwn && (hiddenAt === null || name === 'meta' || name === 'link')) notes.element(name, attributes)
      if (headings.has(name) && hiddenAt === null && silentAt === null) notes.beginHeading()
    },
    onclosetag(name) {
      if (isOver) return
      notes.endElement(name)
      if (blocks.has(name)) notes.endBlock()
      if (hiddenAt === depth) hiddenAt = null
      if (silentAt === depth) silentAt = null
      depth = Math.max(0, depth - 1)
    },
    ontext(text) {
      if (!isOver && hiddenAt === null) notes.text(text, silentAt === null)
    },
  }
  return { handler, isOver: () => isOver }
}
