import type { SurfaceLines } from './golden-surface'

/**
 * What callers could rely on under one surface and cannot under the next, though no announcement of it has run out on
 * that day: what is gone, took another form, or asks for more. Only records and operations are promised.
 */
export function shrinkage(before: SurfaceLines, after: SurfaceLines, today: string): string[] {
  const gone = new Set<string>()
  const lost = [...before].flatMap(([name, words]) => {
    const owner = ownerOf(name)
    if (!isPromised(name) || gone.has(owner)) return []
    const isOut = hasRunOut(words, today) || hasRunOut(before.get(owner), today)
    const now = after.get(name)
    if (now !== undefined) return isOut ? [] : narrowed(name, words, now)
    if (name === owner) gone.add(owner)
    return isOut ? [] : [`${name} is gone`]
  })
  return [...lost, ...demanded(before, after)]
}

const isPromised = (name: string) => name.startsWith('record ') || name.startsWith('operation ')

/** `operation countNotes in.stage` belongs to `operation countNotes`. */
const ownerOf = (name: string) => /^\w+ \w+/.exec(name)?.[0] ?? name

const isInput = (name: string) => /^operation \w+ in\./.test(name)

/** How something became less than it was. Answers may gain values and inputs may lose none. */
function narrowed(name: string, before: string, after: string): string[] {
  const was = wordsOf(before)
  const is = wordsOf(after)
  if (name === ownerOf(name)) {
    const lost = was.filter((word) => !is.includes(word) && !word.startsWith('except'))
    return lost.length === 0 ? [] : [`${name} is no longer ${lost.join(' ')}`]
  }
  const values = (is[0] ?? '').split('|')
  if ((was[0] ?? '').split('|').some((value) => !values.includes(value)))
    return [`${name} is no longer ${was[0]}`]
  // A caller relies on what an answer never lacks, and on what an input may lack.
  const relied = isInput(name) ? ['optional', 'nullable'] : ['sortable', 'filter:search']
  const spared = isInput(name) ? [] : ['optional', 'nullable', 'filter:none']
  const lost = relied.find((mark) => was.includes(mark) && !is.includes(mark))
  if (lost) return [`${name} is no longer ${lost}`]
  const gained = spared.find((mark) => is.includes(mark) && !was.includes(mark))
  return gained ? [`${name} became ${gained}`] : []
}

/** New arguments of known operations that a caller must send. */
const demanded = (before: SurfaceLines, after: SurfaceLines): string[] =>
  [...after].flatMap(([name, words]) => {
    const isTop = /^operation \w+ in\.\w+$/.test(name)
    const isNew = isTop && before.has(ownerOf(name)) && !before.has(name)
    return isNew && !wordsOf(words).includes('optional') ? [`${name} is asked for`] : []
  })

const hasRunOut = (words: string | undefined, today: string) => {
  const sunset = /deprecated:\S+\/(\S+)/.exec(words ?? '')?.[1]
  return sunset !== undefined && sunset <= today
}

/** The words of a line, without its bounds. */
const wordsOf = (line: string) =>
  line
    .replace(/ ?\(.*$/, '')
    .split(' ')
    .filter(Boolean)
