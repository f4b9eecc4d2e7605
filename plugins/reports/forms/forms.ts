import { csvParts, xlsxParts, xlsxType } from 'renown/pages'
import type { ReportTree } from '../blocks/block'
import { reportMarkdown } from './report-markdown'
import { reportTable } from './report-table'
import { reportSheets } from './report-workbook'

/** A form of a report besides its page and its PDF. */
export interface ReportForm {
  readonly extension: 'xlsx' | 'csv' | 'md'
  /** What people call it. */
  readonly label: string
  /** Its media type. */
  readonly type: string
  /** Makes it from the tree alone: the same tree gives the same bytes. */
  make(tree: ReportTree): Promise<Uint8Array<ArrayBuffer>>
}

/** The forms of a report besides its page and its PDF. */
export const reportForms: readonly ReportForm[] = [
  {
    extension: 'xlsx',
    label: 'Excel',
    type: xlsxType,
    make: async (tree) => new Uint8Array(Buffer.concat(await Array.fromAsync(xlsxParts(reportSheets(tree))))),
  },
  {
    extension: 'csv',
    label: 'CSV',
    type: 'text/csv; charset=utf-8',
    make: async (tree) => bytesOf((await Array.fromAsync(csvParts(reportTable(tree)))).join('')),
  },
  {
    extension: 'md',
    label: 'Markdown',
    type: 'text/markdown; charset=utf-8',
    make: async (tree) => bytesOf(reportMarkdown(tree)),
  },
]

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Returns the form with this extension. Undefined if there is none. */
export const formWith = (extension: string): ReportForm | undefined =>
  reportForms.find((form) => form.extension === extension)

/** Returns the name under which a form is saved. */
export const formName = (
  { period_start, period_end }: { readonly period_start: string; readonly period_end: string },
  extension: string,
): string => `report-${period_start}-${period_end}.${extension}`
