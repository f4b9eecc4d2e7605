import { type CountedHit, hitsTable, okStatus, signedOperator, touchedTable } from 'renown/contracts'
import type { Segment } from '../journal/segment'

/** A segment of a block, with the hits to count. */
export interface NamedSegment {
  readonly name: string
  readonly segment: Segment
}

/** A block's rows of one month: one INSERT, one part. */
export interface MonthRows {
  /** `yyyymm`, the table's partition. */
  readonly month: string
  /** The rows and a receipt for each segment, tab-separated. */
  readonly rows: string
  readonly hits: number
}

export interface BlockRows {
  readonly months: readonly MonthRows[]
  /** The days that the segments touched, tab-separated. Empty if they have no hits. */
  readonly touched: string
  readonly hits: number
}

export const hitsColumns = Object.keys(hitsTable.columns)
export const touchedColumns = Object.keys(touchedTable.columns).filter((name) => name !== 'touched_at')
/** The site id of receipts. No real site id starts like this. */
export const receiptSite = '~'

interface Sum {
  hits: number
  verified: number
  spoofed: number
}

interface Month {
  readonly sums: Map<string, Sum>
  /** The segments that have hits in it. */
  readonly names: string[]
}

/** Sums a segment's hits by row key. Identical hits become one row. */
export const aggregate = (name: string, segment: Segment): BlockRows => aggregateBlock([{ name, segment }])

/** Sums the hits of several segments. `standing` has the receipts that are stored already, whose hits are left out. */
export function aggregateBlock(
  parts: readonly NamedSegment[],
  standing: ReadonlySet<string> = new Set(),
): BlockRows {
  const months = new Map<string, Month>()
  const touched = new Map<string, number>()
  let hits = 0
  for (const { name, segment } of parts) {
    for (const frame of segment.frames) {
      for (const hit of frame.hits) {
        hits++
        const key = `${escaped(hit.site_id)}\t${escaped(hit.date)}\t${hit.kind === 'visit' ? 'beacon' : 'log'}`
        touched.set(key, Math.max(hit.ts, touched.get(key) ?? hit.ts))
        const month = monthOf(hit.date)
        if (standing.size === 0 || !standing.has(receiptKey(name, month))) add(months, month, name, hit)
      }
    }
  }
  return {
    hits,
    months: [...months].map(([month, of]) => monthRows(month, of)),
    touched: [...touched].map(([key, ts]) => `${key}\t${new Date(ts).toISOString()}\n`).join(''),
  }
}

/** Returns the partition of a day, `yyyymm`. */
export const monthOf = (date: string): string => date.slice(0, 4) + date.slice(5, 7)
/** Names a segment's receipt of one month. */
export const receiptKey = (name: string, month: string): string => `${month}\t${name}`

function add(months: Map<string, Month>, month: string, name: string, hit: CountedHit) {
  let of = months.get(month)
  if (!of) {
    of = { sums: new Map(), names: [] }
    months.set(month, of)
  }
  const { sums, names } = of
  // Segments come one after the other.
  if (names.at(-1) !== name) names.push(name)
  addTo(sums, rowKey(hit.kind, hit, hit.category, hit.path), hit)
  const { status, signer, verified_by } = hit
  if (signer !== undefined) {
    const operator = signedOperator(verified_by ?? 'false', signer)
    addTo(sums, rowKey('signed', { ...hit, operator }, hit.category, ''), hit)
  }
  // No HTTP status is above 599. Servers write other numbers for what was never answered.
  if (status === undefined || status > 599 || hit.kind !== 'crawl') return
  const isError = status >= 400
  const category = isError ? String(status) : okStatus
  addTo(sums, rowKey('status', hit, category, isError ? hit.path : ''), hit)
}

const rowKey = (kind: string, hit: CountedHit, category: string, path: string) =>
  `${kind}\t${escaped(hit.site_id)}\t${escaped(hit.date)}\t${escaped(hit.agent)}\t${category}\t${escaped(hit.operator)}\t${escaped(path)}`

function addTo(sums: Map<string, Sum>, key: string, hit: CountedHit) {
  let sum = sums.get(key)
  if (!sum) {
    sum = { hits: 0, verified: 0, spoofed: 0 }
    sums.set(key, sum)
  }
  sum.hits++
  if (hit.verdict === 'verified') sum.verified++
  else if (hit.verdict === 'spoofed') sum.spoofed++
}

function monthRows(month: string, { sums, names }: Month): MonthRows {
  let hits = 0
  const lines: string[] = []
  for (const [key, sum] of sums) {
    // Rows of these kinds count crawls that other rows count too.
    if (!(key.startsWith('status\t') || key.startsWith('signed\t'))) hits += sum.hits
    lines.push(`${key}\t${sum.hits}\t${sum.verified}\t${sum.spoofed}\n`)
  }
  for (const name of names)
    lines.push(`receipt\t${receiptSite}\t${firstDay(month)}\t\t\t\t${escaped(name)}\t1\t0\t0\n`)
  return { month, hits, rows: lines.join('') }
}

/** Returns the day of a month's receipts. */
export const firstDay = (month: string): string => `${month.slice(0, 4)}-${month.slice(4, 6)}-01`

// Matches characters that TabSeparated must escape.
const special = /[\t\n\r\\\0]/
const signs: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
  '\0': '\\0',
}
const escaped = (text: string): string =>
  special.test(text) ? text.replace(/[\t\n\r\\\0]/g, (sign) => signs[sign] ?? sign) : text
