import type { AST } from '@eslint-community/regexpp'
import { toUnicodeSet } from 'regexp-ast-analysis'

/** Ranges of code points that a place of a pattern takes. */
export type Ranges = readonly { readonly min: number; readonly max: number }[]

/** The places of a pattern where a character is taken, and which may follow which (Glushkov's automaton). */
export interface Positions {
  /** What each place takes. Place 0 is before the first and takes nothing. */
  readonly takes: Ranges[]
  /** Places that may follow each place. One that may follow in two ways stands twice. */
  readonly follow: number[][]
  /** Places after which the pattern has matched. */
  readonly last: ReadonlySet<number>
}

/** The pattern holds something that this analysis cannot judge. */
export class CannotJudge extends Error {}

interface Part {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly nullable: boolean
}

const nothing: Part = { first: [], last: [], nullable: true }
/** A repetition with an end makes no loop: as many copies of it show all that it may be confused with. */
const copiesMax = 3
const placesMax = 2_000
/** What stands before the start of a line, but for the first. */
const lineBreaks: Ranges = [10, 13, 0x2028, 0x2029].map((code) => ({ min: code, max: code }))

/** The places of some elements of a pattern that stand one behind the other. Assertions take nothing. */
export function positionsOf(
  elements: readonly AST.Element[],
  flags: AST.Flags,
  isAfterBreak = false,
): Positions {
  const takes: Ranges[] = [[]]
  const follow: number[][] = [[]]

  function place(ranges: Ranges): Part {
    const at = takes.push(ranges) - 1
    if (at > placesMax) throw new CannotJudge('has too many places')
    follow.push([])
    return { first: [at], last: [at], nullable: false }
  }

  function join(from: readonly number[], to: readonly number[]) {
    for (const one of from) follow[one]?.push(...to)
  }

  function sequence(parts: readonly Part[]): Part {
    return parts.reduce((before, part) => {
      join(before.last, part.first)
      return {
        first: before.nullable ? [...before.first, ...part.first] : before.first,
        last: part.nullable ? [...before.last, ...part.last] : part.last,
        nullable: before.nullable && part.nullable,
      }
    }, nothing)
  }

  function either(parts: readonly Part[]): Part {
    return {
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
      nullable: parts.some(({ nullable }) => nullable),
    }
  }

  function repeated({ element, min, max }: AST.Quantifier): Part {
    const isLoop = max === Number.POSITIVE_INFINITY
    const copies = Math.min(isLoop ? Math.max(min, 1) : max, copiesMax)
    const parts: Part[] = []
    for (let copy = 0; copy < copies; copy++) {
      const part = partOf(element)
      const isFree = copy >= Math.min(min, copiesMax)
      if (isLoop && copy === copies - 1) join(part.last, part.first)
      parts.push(isFree ? { ...part, nullable: true } : part)
    }
    return sequence(parts)
  }

  function partOf(element: AST.Element): Part {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return either(element.alternatives.map((one) => sequence(one.elements.map(partOf))))
      case 'Quantifier':
        return repeated(element)
      case 'Assertion':
        return nothing
      case 'Backreference':
        throw new CannotJudge('refers back to a group')
      default: {
        const { chars, accept } = toUnicodeSet(element, flags)
        if (!accept.isEmpty) throw new CannotJudge('has a class with strings')
        return place(chars.ranges)
      }
    }
  }

  const parts = elements.map(partOf)
  const whole = sequence(isAfterBreak ? [place(lineBreaks), ...parts] : parts)
  follow[0] = [...whole.first]
  return { takes, follow, last: new Set(whole.nullable ? [0, ...whole.last] : whole.last) }
}
