import type { Occurrence } from './find-names'

/** What a position was counted in: the lists and headings of the answer, or its running text. */
export const positionBases = ['list', 'text'] as const

/** The position of an entity among those that an answer names. 1 is first. */
export interface Position {
  readonly entity: string
  readonly position: number
  readonly basis: (typeof positionBases)[number]
}

/** Matches a bullet, a number, a heading, a table row, or a line that begins in bold. */
const listLine = /^\s*(?:[-*+•◦▪–]\s|\d{1,3}[.)、]\s?|[①-⑳]|#{1,6}\s|\||\*\*|__)/u

/**
 * Returns the positions of the entities that an answer names. Those in lists and headings come first, in the
 * order of the lists, then those that only the text names.
 */
export function positionsOf(answer: string, occurrences: readonly Occurrence[]): Position[] {
  const first = { list: new Map<string, number>(), text: new Map<string, number>() }
  for (const { entity, start } of occurrences) {
    const basis = isListed(answer, start) ? 'list' : 'text'
    if (!first[basis].has(entity)) first[basis].set(entity, start)
  }
  const listed = [...first.list].map(([entity]) => ({ entity, basis: 'list' as const }))
  const named = [...first.text]
    .filter(([entity]) => !first.list.has(entity))
    .map(([entity]) => ({ entity, basis: 'text' as const }))
  return [...listed, ...named].map((one, place) => ({ ...one, position: place + 1 }))
}

/** Maximum characters of a line that are examined. */
const lineMax = 2_000

function isListed(answer: string, at: number): boolean {
  const begin = answer.lastIndexOf('\n', at - 1) + 1
  return at - begin <= lineMax && listLine.test(answer.slice(begin, Math.min(begin + 40, at + 1)))
}
