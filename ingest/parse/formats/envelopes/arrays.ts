import type { ArraySpan } from '../elements'
import { unfinished } from '../readings'
import { type Scan, scanFrom, scanSlice, scanValue, skipSpace } from '../text/json-spans'
import { isRecord, type Refusal } from '../text/reading'

/**
 * Finds the arrays of a name in an object of a text, through arrays of objects. `path` has the names from the
 * outside in. Stops where the text is not JSON.
 */
export function* arraysAt(
  text: string,
  start: number,
  path: readonly string[],
): Generator<ArraySpan | Refusal, number | null> {
  if (text.charCodeAt(start) !== 123) return null
  const scan = scanFrom(text, start + 1)
  let yieldedAt = scan.at
  for (;;) {
    // Many small members take as long as a large one.
    if (scan.at - yieldedAt > scanSlice) {
      yieldedAt = scan.at
      yield unfinished
    }
    const name = skipSpace(text, scan.at)
    const code = text.charCodeAt(name)
    if (code === 125) return name + 1
    scan.at = name
    if (code !== 34 || !scanValue(scan, scanSlice)) return null
    const isWanted = text.slice(name + 1, scan.at - 1) === path[0]
    const colon = skipSpace(text, scan.at)
    if (text.charCodeAt(colon) !== 58) return null
    scan.at = skipSpace(text, colon + 1)
    const from = scan.at
    if (isWanted && path.length > 1 && text.charCodeAt(from) === 91) {
      const end = yield* arraysBelow(text, from + 1, path.slice(1))
      if (end === null) return null
      scan.at = end
    } else {
      yield* toEnd(scan)
      if (isWanted && text.charCodeAt(from) === 91) yield { from, end: scan.at }
    }
    scan.at = skipSpace(text, scan.at)
    if (text.charCodeAt(scan.at) === 44) scan.at++
    else if (text.charCodeAt(scan.at) !== 125) return null
  }
}

/** Finds the arrays in the objects of an array. Returns its end, or null where the text is not JSON. */
function* arraysBelow(
  text: string,
  from: number,
  path: readonly string[],
): Generator<ArraySpan | Refusal, number | null> {
  let yieldedAt = from
  for (let at = skipSpace(text, from); at < text.length; at = skipSpace(text, at)) {
    if (at - yieldedAt > scanSlice) {
      yieldedAt = at
      yield unfinished
    }
    const code = text.charCodeAt(at)
    if (code === 93) return at + 1
    if (code === 44) at++
    else if (code === 123) {
      const end = yield* arraysAt(text, at, path)
      if (end === null) return null
      at = end
    } else {
      const scan = scanFrom(text, at)
      yield* toEnd(scan)
      if (scan.at === at) return null
      at = scan.at
    }
  }
  return null
}

function* toEnd(scan: Scan): Generator<Refusal> {
  while (!scanValue(scan, scanSlice) && scan.at < scan.text.length) yield unfinished
}

/** Yields the elements of the arrays of a name in a value that was parsed. */
export function* elementsOf(value: unknown, path: readonly string[]): Generator<unknown> {
  const [name = '', ...rest] = path
  const array = isRecord(value) ? value[name] : undefined
  if (!Array.isArray(array)) return
  if (rest.length === 0) yield* array
  else for (const one of array) yield* elementsOf(one, rest)
}
