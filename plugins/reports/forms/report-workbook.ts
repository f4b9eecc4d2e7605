import { type FileCell, fileColumns, type Sheet } from 'renown/pages'
import type { BlockOf, Figure, ReportTree, TreeSection } from '../blocks/block'
import { changeOf } from '../blocks/format'
import { cellType, fileCell, numberCell } from './report-cells'
import { factsOf } from './report-facts'

/** Returns the sheets of a report: its facts, all figures, each table and chart, the texts, and the definitions. */
export const reportSheets = (tree: ReportTree): Sheet[] => [
  { name: 'Report', columns: fileColumns({ field: null, value: null }), rows: factsOf(tree) },
  figureSheet(tree),
  ...tree.sections.flatMap(dataSheets),
  textSheet(tree),
  {
    name: 'Definitions',
    columns: fileColumns({ id: null, name: null, text: null }),
    rows: tree.definitions.map(({ id, name, text }) => [id, name, text]),
  },
]

const figureSheet = ({ sections }: ReportTree): Sheet => ({
  name: 'Figures',
  columns: fileColumns({
    part: null,
    figure: null,
    value: null,
    unknown_because: null,
    previous: null,
    change: null,
    low_95: null,
    high_95: null,
    n: 'count',
    definition: null,
  }),
  rows: sections.flatMap(({ title, blocks }) =>
    blocks.flatMap((block) =>
      block.kind === 'figures' ? block.figures.map((figure) => figureRow(title, figure)) : [],
    ),
  ),
})

const figureRow = (part: string, figure: Figure): FileCell[] => {
  const { label, value, unit, previous, interval, n, definition, unknown_because } = figure
  return [
    part,
    label,
    numberCell(value, unit),
    unknown_because ?? null,
    numberCell(previous, unit),
    changeOf(figure)?.words ?? null,
    numberCell(interval?.low, unit),
    numberCell(interval?.high, unit),
    n ?? null,
    definition,
  ]
}

const dataSheets = ({ blocks }: TreeSection): Sheet[] =>
  blocks.flatMap((block) =>
    block.kind === 'table' ? [tableSheet(block)] : block.kind === 'chart' ? [chartSheet(block)] : [],
  )

const tableSheet = ({ title, columns, rows, more = 0 }: BlockOf<'table'>): Sheet => ({
  name: title,
  columns: columns.map(({ label, type }) => ({ name: label, type: cellType(type) })),
  rows: [
    ...rows.map((row) => columns.map(({ type }, place) => fileCell(row[place] ?? null, type))),
    ...(more > 0 ? [[`and ${more} more`]] : []),
  ],
})

const chartSheet = ({ title, unit, labels, series }: BlockOf<'chart'>): Sheet => ({
  name: title,
  columns: [{ name: ' ' }, ...series.map(({ name }) => ({ name }))],
  rows: labels.map((label, at) => [label, ...series.map(({ values }) => numberCell(values[at], unit))]),
})

const textSheet = ({ sections }: ReportTree): Sheet => ({
  name: 'Texts',
  columns: fileColumns({
    part: null,
    kind: null,
    text: null,
    by: null,
    source: null,
    at: 'instant',
    stars: 'number',
    because: null,
    link: null,
  }),
  rows: sections.flatMap(({ title, blocks }) =>
    blocks.flatMap((block): FileCell[][] => {
      switch (block.kind) {
        case 'text':
          return block.paragraphs.map((text) => [title, 'text', text, block.by])
        case 'evidence':
          return block.items.map(({ quote, author, source, at, rating, href }) => [
            title,
            'quote',
            quote,
            author ?? null,
            source,
            at ?? null,
            rating ?? null,
            null,
            webLink(href),
          ])
        case 'did':
        case 'next':
          return block.items.map(({ text, because }) => [
            title,
            block.kind === 'did' ? 'what we did' : 'what next',
            text,
            null,
            null,
            null,
            null,
            because ?? null,
          ])
        case 'note':
          return [[title, 'note', block.text]]
        default:
          return []
      }
    }),
  ),
})

/** Links into Renown work only for people with an account. */
const webLink = (href: string | undefined) => (href?.startsWith('http') ? href : null)
