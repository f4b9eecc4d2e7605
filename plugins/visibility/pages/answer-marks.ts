import { createNameFinder, type Occurrence } from '../detection/find-names'
import { entitiesOf } from '../detection/judge-answer'
import type { Tracker } from '../sums/scope'

/** A part of an answer that names the brand or a competitor. Offsets count UTF-16 units. */
export interface AnswerMark {
  readonly start: number
  readonly end: number
  readonly who: 'brand' | 'competitor'
}

type Names = Pick<Tracker, 'brand_name' | 'brand_aliases' | 'competitors'>

/** Returns a function that finds the names of a tracker in an answer, in order. */
export function markFinder({ brand_name, brand_aliases, competitors }: Names) {
  const entities = entitiesOf({ brand: { names: [brand_name, ...brand_aliases] }, competitors })
  const find = createNameFinder(entities)
  const brandId = entities[0]?.id
  return (text: string): AnswerMark[] =>
    find(text).map(({ entity, start, end }: Occurrence) => ({
      start,
      end,
      who: entity === brandId ? 'brand' : 'competitor',
    }))
}

/** The beginning of an excerpt before the first name. */
const before = 80

/** A part of an answer around the first name in it, with the marks inside it. */
export function excerptOf(
  text: string,
  marks: readonly AnswerMark[],
  length: number,
): { readonly text: string; readonly marks: readonly AnswerMark[]; readonly isCut: boolean } {
  if (text.length <= length) return { text, marks, isCut: false }
  const first = marks.find(({ who }) => who === 'brand') ?? marks[0]
  const from = between(text, Math.max(0, Math.min((first?.start ?? 0) - before, text.length - length)))
  const to = between(text, from + length)
  return {
    text: text.slice(from, to),
    marks: marks
      .filter(({ start, end }) => start >= from && end <= to)
      .map((mark) => ({ ...mark, start: mark.start - from, end: mark.end - from })),
    isCut: true,
  }
}

/** The same offset, or the one after it where it would cut a character in two. */
function between(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
