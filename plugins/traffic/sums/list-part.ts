import { readablePath } from 'renown/web'
import type { ListName, TrafficFilters } from './traffic-filters'

/** A part of a list. */
export interface ListPart<Line> {
  readonly lines: readonly Line[]
  /** Number of lines in the whole list. */
  readonly total: number
  /** Number of lines whose names contain the search text. */
  readonly found: number
  /** The number of this part, from 1. */
  readonly part: number
  readonly parts: number
}

/** Lines of a list on the page. */
export const shortMax = 9
/** Maximum lines of a list for a spreadsheet: one more than a download has, so that it says when it is cut. */
export const wholeMax = 50_001
/** Lines in one part of a whole list. */
export const partMax = 50

/** A list, and how to get the names of its lines. */
interface Named<Line> {
  readonly list: ListName
  nameOf(line: Line): string
}

/**
 * Returns the first lines of a list, or the requested part. If the list does not have that part, returns the
 * first one.
 */
export function partOf<Line>(
  all: readonly Line[],
  asked: TrafficFilters,
  { list, nameOf }: Named<Line>,
): ListPart<Line> {
  const total = all.length
  if (asked.list !== list)
    return { lines: all.slice(0, shortMax), total, found: total, part: 1, parts: partsOf(total) }
  const { find } = asked
  const found = find === null ? all : all.filter((line) => hasText(nameOf(line), find))
  if (asked.isWhole) return { lines: found.slice(0, wholeMax), total, found: found.length, part: 1, parts: 1 }
  const parts = partsOf(found.length)
  const part = asked.at <= parts ? asked.at : 1
  const lines = found.slice((part - 1) * partMax, part * partMax)
  return { lines, total, found: found.length, part, parts }
}

const partsOf = (lines: number) => Math.max(1, Math.ceil(lines / partMax))

/** Whether a name contains a text, in its stored form or in its own script. */
function hasText(name: string, find: string): boolean {
  const wanted = find.toLowerCase()
  return [name, readablePath(name).replaceAll('%20', ' ')].some((text) => text.toLowerCase().includes(wanted))
}
