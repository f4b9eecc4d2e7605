import type { FoundPost } from 'renown/leads'
import { plainText, postOf } from 'renown/leads'

const columns = 27
const webCollection = '1'
const namesMax = 40

/** Returns the post of a line of GDELT's knowledge graph. Null for other media than the web, undefined if unreadable. */
export function postOfLine(line: string): FoundPost | null | undefined {
  const cells = line.split('\t')
  if (cells.length !== columns) return undefined
  const [id = '', date = '', collection, site = '', url = ''] = cells
  if (collection !== webCollection)
    return collection === undefined || !/^\d$/.test(collection) ? undefined : null
  const extras = cells[26] ?? ''
  const posted = instantOf(elementOf(extras, 'PAGE_PRECISEPUBTIMESTAMP')) ?? instantOf(date)
  const title = plainText(elementOf(extras, 'PAGE_TITLE'), 300)
  if (posted === undefined || id === '') return undefined
  if (title === '') return null
  const names = [...new Set((cells[23] ?? '').split(';').map((one) => one.slice(0, one.lastIndexOf(','))))]
  const mentioned = names.filter((name) => name !== '').slice(0, namesMax)
  const [, language] = /srclc:([a-z]{3})/.exec(cells[25] ?? '') ?? []
  const by = plainText(elementOf(extras, 'PAGE_AUTHORS').split(';')[0] ?? '', 200) || site
  return postOf({
    source_id: id,
    channel: 'news',
    url,
    title,
    posted_at: posted,
    language: language ?? 'en',
    body: mentioned.length === 0 ? title : `${title}\nNames in the article: ${mentioned.join(', ')}`,
    author: { handle: by },
  })
}

function elementOf(extras: string, name: string): string {
  const start = extras.indexOf(`<${name}>`)
  const end = extras.indexOf(`</${name}>`, start)
  return start < 0 || end < 0 ? '' : extras.slice(start + name.length + 2, end)
}

/** Reads `YYYYMMDDHHMMSS` in UTC as ISO 8601. */
export function instantOf(stamp: string): string | undefined {
  if (!/^\d{14}$/.test(stamp)) return undefined
  const date = stamp.slice(0, 8)
  const time = stamp.slice(8)
  const text = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
