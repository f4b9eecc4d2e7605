import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { type Growth, growthOf } from './ambiguity'
import { CannotJudge, positionsOf } from './positions'

/** How the work of matching a pattern grows with the text, or why that cannot be said. */
export type Judgement = Growth | `cannot be judged: ${string}`

const parser = new RegExpParser()
const order: readonly Growth[] = ['linear', 'polynomial', 'exponential']

/** Judges a pattern as an engine that backtracks runs it, on the worst text that there is for it. */
export function judge({ source, flags }: RegExp): Judgement {
  const parsed = parser.parseFlags(flags)
  const unicode = { unicode: parsed.unicode, unicodeSets: parsed.unicodeSets }
  const pattern = parser.parsePattern(source, 0, source.length, unicode)
  try {
    const all = pattern.alternatives.flatMap((one) => branches(one.elements, parsed))
    return order[Math.max(0, ...all.map((one) => order.indexOf(one)))] ?? 'linear'
  } catch (error) {
    if (error instanceof CannotJudge) return `cannot be judged: ${error.message}`
    throw error
  }
}

/** Each alternative by itself: what they share of the work is as often as there are alternatives. */
function branches(elements: readonly AST.Element[], flags: AST.Flags): Growth[] {
  const isStarted = elements[0] !== undefined && isStart(elements[0])
  const isAnchored = flags.sticky || (isStarted && !flags.multiline)
  const isAfterBreak = isStarted && flags.multiline
  const consuming = elements.findIndex(({ type }) => type !== 'Assertion')
  const rest = elements.slice(Math.max(0, consuming))
  const isOpen = consuming < 0 || assertionsIn(rest).length > 0
  const ahead = elements.flatMap((element, at) =>
    assertionsIn([element]).flatMap((assertion) => lookahead(assertion, elements.slice(0, at))),
  )
  return [elements, ...ahead].map((part) =>
    growthOf(positionsOf(part, flags, isAfterBreak), isAnchored, part !== elements || isOpen),
  )
}

const isStart = (element: AST.Element) => element.type === 'Assertion' && element.kind === 'start'

/** What a look ahead reads, behind what stands before it. */
function lookahead(assertion: AST.Assertion, before: readonly AST.Element[]): (readonly AST.Element[])[] {
  if (assertion.kind !== 'lookahead' && assertion.kind !== 'lookbehind') return []
  if (!assertion.alternatives.some((one) => one.elements.some(hasLoop))) return []
  if (assertion.kind === 'lookbehind') throw new CannotJudge('looks behind over any length')
  return assertion.alternatives.map((one) => [...before, ...one.elements])
}

function assertionsIn(elements: readonly AST.Element[]): AST.Assertion[] {
  return elements.flatMap((element) => {
    if (element.type === 'Assertion') return [element]
    if (element.type === 'Quantifier') return assertionsIn([element.element])
    return isGroup(element) ? element.alternatives.flatMap((one) => assertionsIn(one.elements)) : []
  })
}

const isGroup = (element: AST.Element): element is AST.Group | AST.CapturingGroup =>
  element.type === 'Group' || element.type === 'CapturingGroup'

function hasLoop(element: AST.Element): boolean {
  if (element.type === 'Quantifier')
    return element.max === Number.POSITIVE_INFINITY || hasLoop(element.element)
  if (isGroup(element)) return element.alternatives.some((one) => one.elements.some(hasLoop))
  return false
}
