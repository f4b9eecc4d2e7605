import { type CountedHit, hitsTable, okStatus, signedOperator, touchedTable } from 'renown/contracts'
import type { Segment } from '../journal/segment'

/** A segment's rows of one month: one INSERT, one block, one part. */
export interface MonthRows {
  /** `yyyymm`, the table's partition. */
  readonly month: string
  /** The rows and their receipt, tab-separated. */
  readonly rows: string
  readonly hits: number
}

export interface SegmentRows {
  readonly months: readonly MonthRows[]
  /** The days that the segment touched, tab-separated. Empty if it has no hits. */
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

/** Sums a segment's hits by row key. Identical hits become one row. */
export function aggregate(name: string, segment: Segment): SegmentRows {
  const months = new Map<string, Map<string, Sum>>()
  const touched = new Map<string, number>()
  let hits = 0
  for (const frame of segment.frames) {
    for (const hit of frame.hits) {
      hits++
      add(months, hit)
      const key = `${escaped(hit.site_id)}\t${escaped(hit.date)}\t${hit.kind === 'visit' ? 'beacon' : 'log'}`
      touched.set(key, Math.max(hit.ts, touched.get(key) ?? hit.ts))
    }
  }
  return {
    hits,
    months: [...months].map(([month, sums]) => monthRows(name, month, sums)),
    touched: [...touched].map(([key, ts]) => `${key}\t${new Date(ts).toISOString()}\n`).join(''),
  }
}

function add(months: Map<string, Map<string, Sum>>, hit: CountedHit) {
  const month = hit.date.slice(0, 4) + hit.date.slice(5, 7)
  let sums = months.get(month)
  if (!sums) {
    sums = new Map()
    months.set(month, sums)
  }
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

function monthRows(name: string, month: string, sums: Map<string, Sum>): MonthRows {
  let hits = 0
  const lines: string[] = []
  for (const [key, sum] of sums) {
    // Rows of these kinds count crawls that other rows count too.
    if (!(key.startsWith('status\t') || key.startsWith('signed\t'))) hits += sum.hits
    lines.push(`${key}\t${sum.hits}\t${sum.verified}\t${sum.spoofed}\n`)
  }
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
