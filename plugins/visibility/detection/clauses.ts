import type { Occurrence } from './find-names'

/** The sentence around a name, and the clause of it that is about the name. */
export interface Clause {
  readonly sentence: string
  readonly clause: string
  /** Start of the sentence in the answer. */
  readonly from: number
}

/** A full stop ends a sentence, unless it ends an abbreviation. */
const sentenceEnd =
  /[!?。！？\n]|(?<!(?<![\p{L}])(?:vs|inc|corp|co|ltd|st|dr|mr|mrs|ms|no|approx|e\.g|i\.e|z\. ?b|bzw|ca|d\. ?h|p\. ?ex|sr|sra))\.(?=\s|$)/giu
const clauseEnd =
  /[,;:，；：、()（）|]|\s[–—-]\s|(?<![\p{L}\p{N}])(?:but|however|while|whereas|although|aber|jedoch|während|mais|tandis|pero|mientras|ma|mentre|mas|enquanto|maar|terwijl)(?![\p{L}\p{N}])/giu
/** Maximum distance in characters between a name and text about it. */
const reach = 400

/** Returns the sentence and the clause around an occurrence. Pass all occurrences of the answer, in order. */
export function clauseAround(text: string, { start, end }: Occurrence, all: readonly Occurrence[]): Clause {
  const [from, to] = sentenceAround(text, start, end)
  const sentence = text.slice(from, to)
  const near = all.filter((one) => one.start >= from && one.end <= to)
  const parts = partsOf(sentence, from, near)
  const own = parts.findIndex((part) => part.from <= start && end <= part.to)
  const [first, last] = own < 0 ? [0, parts.length - 1] : stretch(parts, own)
  const clause = text.slice(parts[first]?.from ?? from, parts[last]?.to ?? to).trim()
  return { sentence, clause, from }
}

function sentenceAround(text: string, start: number, end: number): [from: number, to: number] {
  const lowest = Math.max(0, start - reach)
  const highest = Math.min(text.length, end + reach)
  let from = lowest
  let to = highest
  for (const match of text.slice(lowest, highest).matchAll(sentenceEnd)) {
    const at = lowest + match.index
    if (at < start) from = at + 1
    else if (at >= end) {
      to = at
      break
    }
  }
  return [from, to]
}

interface Part {
  readonly from: number
  readonly to: number
  /** Whether the part contains only names and conjunctions. */
  readonly isEnumeration: boolean
}

function partsOf(sentence: string, from: number, names: readonly Occurrence[]): Part[] {
  const parts: Part[] = []
  let begin = 0
  const add = (to: number) => {
    parts.push({
      from: from + begin,
      to: from + to,
      isEnumeration: isEnumeration(sentence, from, begin, to, names),
    })
  }
  for (const match of sentence.matchAll(clauseEnd)) {
    const at = from + match.index
    if (names.some((name) => name.start < at + match[0].length && at < name.end)) continue
    add(match.index)
    begin = match.index + match[0].length
  }
  add(sentence.length)
  return parts
}

const joining = /^[\s*_~`"'“”„«»&+/-]*$/
const joiningWords =
  /(?<![\p{L}\p{N}])(?:and|or|nor|und|oder|et|ou|y|o|e|en|of|和|与|及|や|と)(?![\p{L}\p{N}])/giu

function isEnumeration(
  sentence: string,
  from: number,
  begin: number,
  end: number,
  names: readonly Occurrence[],
): boolean {
  const inside = names.filter((name) => name.start >= from + begin && name.end <= from + end)
  if (inside.length === 0) return false
  let rest = ''
  let at = begin
  for (const name of inside) {
    rest += `${sentence.slice(at, name.start - from)} `
    at = name.end - from
  }
  rest += sentence.slice(at, end)
  return joining.test(rest.replace(joiningWords, ' '))
}

/**
 * Returns the clause that is about a name. In "We recommend A, B and C" and in "A, B and C are cheap", the
 * whole sentence is about each name.
 */
function stretch(parts: readonly Part[], own: number): [first: number, last: number] {
  if (!parts[own]?.isEnumeration) return [own, own]
  let first = own
  while (first > 0 && parts[first]?.isEnumeration) first--
  if (!parts[first]?.isEnumeration) return [first, own]
  let last = own
  while (last < parts.length - 1 && parts[last]?.isEnumeration) last++
  return [first, last]
}
