import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A document of the repository. */
export interface Guide {
  /** Its path below `docs` without the ending, such as `agents/clients/claude`. */
  readonly name: string
  readonly title: string
  /** A sentence of its first paragraph. Empty if that says nothing about it. */
  readonly summary: string
  /** The document, as in the repository. Of links to files that are not served, only the words are left. */
  readonly text: string
}

/** The readers of documents, with the folders that are for them. All other documents are for the last reader. */
const readers = [
  { reader: 'For agents and programs', folders: ['agents', 'reference'] },
  { reader: 'For businesses and agencies', folders: ['owners', 'agencies'] },
  { reader: 'Optional', folders: [] },
] as const

const folder = join(import.meta.dir, '../../docs')

let names: readonly string[] | undefined
const guides = new Map<string, Guide>()

/** Returns the names of all documents. Empty where the product was installed without them. */
export function guideNames(): readonly string[] {
  names ??= documentsIn(folder)
  return names
}

/** Returns a document. Undefined if none has the name. It is read when somebody first asks for it. */
export function guideNamed(name: string): Guide | undefined {
  const known = guides.get(name)
  if (known || !guideNames().includes(name)) return known
  const text = withinDocs(readFileSync(join(folder, `${name}.md`), 'utf8'), name.split('/').length - 1)
  const guide = { name, ...aboutText(text), text }
  guides.set(name, guide)
  return guide
}

/** Returns all documents by reader, each in the folder of its reader. The last group is for operators, plugin authors and contributors. */
export function guidesByReader(): ReadonlyMap<string, readonly Guide[]> {
  const groups = new Map<string, Guide[]>(readers.map(({ reader }) => [reader, []]))
  for (const name of guideNames()) {
    const guide = guideNamed(name)
    if (guide) groups.get(readerOf(name))?.push(guide)
  }
  return groups
}

const readerOf = (name: string): string =>
  readers.find(({ folders }) => folders.some((one) => name.startsWith(`${one}/`)))?.reader ?? 'Optional'

function documentsIn(root: string): readonly string[] {
  try {
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => path.slice(0, -3).replaceAll('\\', '/'))
      .sort()
  } catch {
    return []
  }
}

/** Shorter sentences say little, such as that there are two ways. */
const summaryMin = 35
const summaryMax = 200

/** Returns a document without links that leave the folder of documents. */
const withinDocs = (text: string, depth: number): string =>
  text.replace(/\[([^[\]\n]{1,200})\]\(((?:\.\.\/){1,5})[^()\s]{1,200}\)/g, (link, label, up) =>
    up.length > depth * 3 ? label : link,
  )

/** Returns the title of a document and a sentence about it. */
function aboutText(text: string): Pick<Guide, 'title' | 'summary'> {
  const blocks = text.split('\n\n').map((block) => block.trim())
  const title = blocks.find((block) => block.startsWith('# '))?.slice(2) ?? ''
  const first = blocks.find((block) => /^(?!```)[A-Z*`]/.test(block)) ?? ''
  const sentences = plain(first.replaceAll('\n', ' ')).split(/(?<=\.) /)
  const telling = sentences.filter((one) => one.length >= summaryMin)
  const says = telling.find((one) => !one.startsWith('This page is for')) ?? telling[0] ?? ''
  return { title: plain(title), summary: says.length > summaryMax ? '' : says.replace(/:$/, '.') }
}

/** Returns Markdown of one line without marks. */
const plain = (text: string) =>
  text
    .split('](')
    .map((part, place) => (place === 0 ? part : part.slice(part.indexOf(')') + 1)))
    .join('')
    .replace(/[[\]*`]/g, '')
