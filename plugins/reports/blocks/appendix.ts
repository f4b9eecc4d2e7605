import type { Figure, ReportTree } from './block'
import { changeOf, shownNumber } from './format'

/** A figure as the appendix of a report lists it. All values are texts. */
export interface AppendixLine {
  readonly id: string
  readonly label: string
  readonly value: string
  /** The 95 % interval. A dash if there is none. */
  readonly interval: string
  /** The number of observations. A dash if there is none. */
  readonly n: string
  readonly change: string
  /** Id of the definition. */
  readonly definition: string
}

/** The headings of the appendix, in the order of the fields. */
export const appendixColumns = ['Figure', 'Value', '95 % interval', 'n', 'Change', 'Definition'] as const

/** Lists each figure of a report once, with its interval, its number of observations and its definition. */
export function appendixOf({ sections }: Pick<ReportTree, 'sections'>): readonly AppendixLine[] {
  const figures = new Map<string, Figure>()
  for (const { blocks } of sections) {
    for (const block of blocks) {
      if (block.kind === 'figures') for (const figure of block.figures) figures.set(figure.id, figure)
    }
  }
  return [...figures.values()].map(lineOf)
}

const none = '–'

function lineOf(figure: Figure): AppendixLine {
  const { id, label, value, unit, interval, n, definition } = figure
  return {
    id,
    label,
    definition,
    value: shownNumber(value, unit),
    interval: interval ? `${shownNumber(interval.low, unit)} to ${shownNumber(interval.high, unit)}` : none,
    n: n === undefined ? none : shownNumber(n, 'count'),
    change: changeOf(figure)?.words ?? none,
  }
}
