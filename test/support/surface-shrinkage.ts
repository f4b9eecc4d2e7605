import type { surfacePin } from './surface-pin'

type Words = Readonly<Record<string, string>>
type Part = Readonly<{ deprecated?: string; fields?: Words; input?: Words; output?: Words }>
/** A pinned surface, as JSON gives it back. */
export type Pinned = Readonly<Record<keyof ReturnType<typeof surfacePin>, Readonly<Record<string, object>>>>

/**
 * What callers could rely on under one surface and cannot under the next, though no announcement of it has run out on
 * that day: what is gone, took another form, or asks for more.
 */
export function shrinkage(before: Pinned, after: Pinned, today: string): string[] {
  return (['entities', 'operations'] as const).flatMap((kind) =>
    Object.entries(before[kind]).flatMap(([name, part]) => {
      const was = part as Part
      const is = after[kind][name] as Part | undefined
      if (!is) return hasRunOut(was.deprecated, today) ? [] : [`${name} is gone`]
      if (hasRunOut(was.deprecated, today)) return []
      return [...membersLost(name, was, is), ...fieldsLost(name, was, is, today)]
    }),
  )
}

/** Reads, class, scope and reach: words that were there and are not any more. */
function membersLost(name: string, was: object, is: object): string[] {
  const before = was as Words
  const after = is as Words
  return ['reads', 'order', 'class', 'scope', 'cross_agency'].flatMap((member) => {
    const lost = wordsOf(before[member]).filter((word) => !wordsOf(after[member]).includes(word))
    const isWider = member === 'cross_agency' && after[member] === 'allowed'
    return lost.length === 0 || isWider ? [] : [`${name}: ${member} is no longer ${before[member]}`]
  })
}

function fieldsLost(name: string, was: Part, is: Part, today: string): string[] {
  const sides = ['fields', 'input', 'output'] as const
  return sides.flatMap((side) => [
    ...Object.entries(was[side] ?? {}).flatMap(([field, text]) => {
      if (hasRunOut(/deprecated:(\S+)/.exec(text)?.[1], today)) return []
      const now = is[side]?.[field]
      const fault = now === undefined ? 'is gone' : narrowed(text, now, side === 'input')
      return fault ? [`${name}.${field} ${fault}`] : []
    }),
    ...(side === 'input' ? demanded(name, was.input, is.input) : []),
  ])
}

/** How a field became less than it was. Answers may gain values and inputs may lose none. */
function narrowed(before: string, after: string, isInput: boolean): string | undefined {
  const [typeBefore = '', ...marksBefore] = before.split(' ')
  const [typeAfter = '', ...marksAfter] = after.split(' ')
  const values = typeAfter.split('|')
  if (typeBefore.split('|').some((value) => !values.includes(value))) return `is no longer ${typeBefore}`
  // A caller relies on what an answer never lacks, and on what an input may lack.
  const relied = isInput ? ['optional', 'nullable'] : ['sortable', 'filter:search']
  const spared = isInput ? [] : ['optional', 'nullable', 'filter:none']
  const lost = relied.find((mark) => marksBefore.includes(mark) && !marksAfter.includes(mark))
  if (lost) return `is no longer ${lost}`
  const gained = spared.find((mark) => marksAfter.includes(mark) && !marksBefore.includes(mark))
  return gained ? `became ${gained}` : undefined
}

const demanded = (name: string, was: Words = {}, is: Words = {}): string[] =>
  Object.entries(is)
    .filter(([field, text]) => !(field in was) && !text.split(' ').includes('optional'))
    .map(([field]) => `${name} asks for ${field}`)

const hasRunOut = (days: string | undefined, today: string) => {
  const sunset = days?.split('/')[1]
  return sunset !== undefined && sunset <= today
}

const wordsOf = (text = '') => text.split(' ').filter(Boolean)
