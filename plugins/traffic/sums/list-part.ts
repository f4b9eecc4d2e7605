import type { Asked, ListName } from './asked'

/** A part of a list. */
export interface ListPart<Line> {
  readonly lines: readonly Line[]
  /** All lines of the list. */
  readonly total: number
  /** Those whose names contain what was searched for. */
  readonly found: number
  /** Which part the lines are, from 1. */
  readonly part: number
  readonly parts: number
}

/** Lines of a list on the page. */
export const shortMax = 9
/** Lines of a list that is taken whole, for a spreadsheet. */
export const wholeMax = 10_000
/** Lines of a part of the whole list. */
export const partMax = 50

/** The list that a name belongs to, and how its lines are named. */
interface Named<Line> {
  readonly list: ListName
  nameOf(line: Line): string
}

/**
 * Returns the first lines of a list, or the part of it that the address asks for. An address that asks for a part that the list
 * does not have gets the first one.
 */
export function partOf<Line>(
  all: readonly Line[],
  asked: Asked,
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

/** Whether a name contains a text, as it is stored or in its own letters. */
function hasText(name: string, find: string): boolean {
  const wanted = find.toLowerCase()
  return [name, decoded(name)].some((text) => text.toLowerCase().includes(wanted))
}

function decoded(name: string): string {
  try {
    return decodeURI(name)
  } catch {
    return name
  }
}
