import { type FileCell, type FileTable, fileColumns } from 'renown/pages'
import type { Block, Figure, ReportTree } from '../blocks/block'
import { fileCell, numberCell } from './report-cells'
import { factsOf } from './report-facts'

type Line = readonly [part: string, block: string, row: string | number, field: string, value: FileCell]

/**
 * Returns a report as one table with a line for each value: its part, its block, its row, its field and the value. Programs
 * can read it without knowing the parts of the report.
 */
export const reportTable = (tree: ReportTree): FileTable => ({
  columns: fileColumns({ part: null, block: null, row: null, field: null, value: null }),
  rows: [
    ...factsOf(tree).map(([name, value]) => ['report', '', '', name, value]),
    ...tree.sections.flatMap(({ name, blocks }) => blocks.flatMap((block) => linesOf(name, block))),
    ...tree.definitions.flatMap(({ id, name, text }): Line[] => [
      ['definitions', '', id, 'name', name],
      ['definitions', '', id, 'text', text],
    ]),
  ],
})

function linesOf(part: string, block: Block): Line[] {
  switch (block.kind) {
    case 'figures':
      return block.figures.flatMap((figure) => figureLines(part, figure))
    case 'chart':
      return block.labels.flatMap((label, at) =>
        block.series.map(({ name, values }): Line => {
          const value = numberCell(values[at], block.unit)
          return [part, block.title, label, name, value]
        }),
      )
    case 'table':
      return block.rows.flatMap((row, at) =>
        block.columns.map(({ label, type }, place): Line => {
          return [part, block.title, at + 1, label, fileCell(row[place] ?? null, type)]
        }),
      )
    case 'text':
      return block.paragraphs.map((text, at): Line => [part, `text by ${block.by}`, at + 1, 'text', text])
    case 'evidence':
      return block.items.flatMap(({ quote, author, source, at, rating, href }, place) =>
        linesWith(part, block.title, place + 1, { quote, author, source, at, rating, href }),
      )
    case 'did':
    case 'next':
      return block.items.flatMap(({ text, because }, at) =>
        linesWith(part, block.kind, at + 1, { text, because }),
      )
    case 'note':
      return [[part, 'note', 1, 'text', block.text]]
  }
}

function figureLines(part: string, figure: Figure): Line[] {
  const { id, label, value, unit, previous, interval, n, definition } = figure
  return [
    [part, 'figures', id, 'label', label],
    [part, 'figures', id, 'value', numberCell(value, unit)],
    ...(previous === undefined
      ? []
      : [[part, 'figures', id, 'previous', numberCell(previous, unit)] as const]),
    ...linesWith(part, 'figures', id, {
      unit,
      unknown_because: figure.unknown_because,
      low: interval?.low,
      high: interval?.high,
      n,
      not_comparable_because: figure.not_comparable_because,
      definition,
    }),
  ]
}

const linesWith = (
  part: string,
  block: string,
  row: string | number,
  fields: Readonly<Record<string, string | number | undefined>>,
): Line[] =>
  Object.entries(fields).flatMap(([field, value]): Line[] =>
    value === undefined ? [] : [[part, block, row, field, value]],
  )
