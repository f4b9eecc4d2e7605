import { Refusal } from 'renown'
import type { CellValue, FileTable } from 'renown/pages'
import { readablePath } from 'renown/web'
import type { ListName } from '../sums/traffic-filters'
import type { Figure } from './comparedTraffic'
import type { Lists, TrafficData } from './traffic-data'

type Rows = readonly (readonly CellValue[])[]

/**
 * Returns the rows of a list for a spreadsheet, headings first. Throws if the list does not support the
 * filter.
 */
export function listRows({ lists }: TrafficData, list: ListName): Rows {
  const rows = rowsOf[list](lists)
  if (rows) return rows
  const message =
    'This list does not support the filters in the address. Remove the filters by page or crawler.'
  throw new Refusal('invalid_parameter', message, {
    errors: [{ parameter: 'list', code: 'invalid', message }],
  })
}

const rowsOf: Readonly<Record<ListName, (lists: Lists) => Rows | null>> = {
  operators: ({ operators }) =>
    operators && [
      [
        'operator',
        'crawled',
        'crawled_before',
        'verified',
        'spoofed',
        'visits',
        'visits_before',
        'crawls_per_visit',
      ],
      ...operators.lines.map(({ operator, crawled, verified, spoofed, sent, crawls_per_visit }) => [
        operator,
        ...counts(crawled),
        verified,
        spoofed,
        ...counts(sent),
        crawls_per_visit.ratio,
      ]),
    ],
  pages: ({ pages }) =>
    pages && [['path', 'hits_at_least'], ...pages.lines.map(({ path, hits }) => [readablePath(path), hits])],
  assistants: ({ assistants }) =>
    assistants && [
      ['host', 'operator', 'visits_at_least', 'visits_before'],
      ...assistants.lines.map(({ host, operator, ...visits }) => [host, operator, ...counts(visits)]),
    ],
  landing: ({ landing }) =>
    landing && [
      ['path', 'visits_at_least'],
      ...landing.lines.map(({ path, visits }) => [readablePath(path), visits]),
    ],
  crawlers: ({ crawlers }) =>
    crawlers && [
      ['crawler', 'operator', 'purpose', 'hits', 'hits_before', 'verified', 'unchecked', 'spoofed', 'signed'],
      ...crawlers.lines.map(({ agent, operator, category, hits, verified, unchecked, spoofed, signed }) => [
        agent,
        operator,
        category,
        ...counts(hits),
        verified,
        unchecked,
        spoofed,
        signed,
      ]),
    ],
}

/** Returns rows with their headings as a table. Numbers are counts, apart from ratios. */
export const tableOf = ([heads = [], ...rows]: Rows): FileTable => ({
  columns: heads.map((head) => {
    const name = String(head)
    if (name === 'day') return { name, type: 'day' }
    return isCounted(rows, heads.indexOf(head)) ? { name, type: 'count' } : { name }
  }),
  rows,
})

const isCounted = (rows: Rows, place: number) =>
  rows.some((row) => typeof row[place] === 'number') &&
  rows.every((row) => typeof row[place] !== 'number' || Number.isInteger(row[place]))

/** Returns a figure and its previous value, which is empty if nothing is compared. */
const counts = ({ now, before }: Figure): CellValue[] => [now, before]
