import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dayMs, hourMs } from 'renown/contracts'
import * as v from 'valibot'
import { parsePrefix } from '../parse/address'

const instant = v.pipe(v.number(), v.finite())
const network = v.pipe(
  v.string(),
  v.check((text) => parsePrefix(text) !== null, 'a network'),
)
const stateSchema = v.object({
  url: v.string(),
  prefixes: v.array(network),
  sha256: v.nullable(v.string()),
  etag: v.nullable(v.string()),
  modified: v.nullable(v.string()),
  lastOkAt: v.nullable(instant),
  lastError: v.nullable(v.string()),
  /** Networks that the list contained until recently, because late hits may come from them. */
  withdrawn: v.array(v.object({ prefix: network, at: instant })),
  /** A list that is too small to trust immediately, and how often it was received in a row. */
  shrunken: v.nullable(v.object({ sha256: v.string(), since: instant, seen: v.number() })),
})

/** The state of one list, as stored on disk. Times are milliseconds since the epoch. */
export type RangeState = v.InferOutput<typeof stateSchema>

/** How long a withdrawn network still counts as verified. */
export const graceMs = 14 * dayMs
const shrunkenSeen = 3
const shrunkenMs = 12 * hourMs

/** Returns the state of a list that was never fetched. */
export function unknownList(url: string): RangeState {
  return {
    url,
    prefixes: [],
    sha256: null,
    etag: null,
    modified: null,
    lastOkAt: null,
    lastError: null,
    withdrawn: [],
    shrunken: null,
  }
}

/**
 * Returns the state after a readable list arrived. If a list shrinks to less than half its size, it must come
 * three times unchanged over at least twelve hours. Until then the last good list stays.
 */
export function accept(
  state: RangeState,
  prefixes: readonly string[],
  validators: { etag: string | null; modified: string | null },
  now: number,
): RangeState {
  const sha256 = createHash('sha256').update(prefixes.join('\n')).digest('hex')
  if (prefixes.length * 2 < state.prefixes.length) {
    const before = state.shrunken?.sha256 === sha256 ? state.shrunken : { sha256, since: now, seen: 0 }
    const shrunken = { ...before, seen: before.seen + 1 }
    if (shrunken.seen < shrunkenSeen || now - shrunken.since < shrunkenMs) {
      const lastError = `the list shrank from ${state.prefixes.length} to ${prefixes.length} networks`
      return { ...state, shrunken, lastError }
    }
  }
  const current = new Set(prefixes)
  const gone = state.prefixes.filter((prefix) => !current.has(prefix)).map((prefix) => ({ prefix, at: now }))
  const before = state.withdrawn.filter(({ prefix, at }) => !current.has(prefix) && now - at <= graceMs)
  const withdrawn = [...before, ...gone]
  return {
    ...state,
    ...validators,
    prefixes: [...prefixes],
    sha256,
    lastOkAt: now,
    lastError: null,
    withdrawn,
    shrunken: null,
  }
}

/** Reads a list's state, or null if it is missing or invalid. */
export function loadState(directory: string, url: string): RangeState | null {
  try {
    const result = v.safeParse(stateSchema, JSON.parse(readFileSync(fileOf(directory, url), 'utf8')))
    return result.success && result.output.url === url ? result.output : null
  } catch {
    return null
  }
}

/** Writes a list's state. */
export function saveState(directory: string, state: RangeState): void {
  writeWhole(fileOf(directory, state.url), JSON.stringify(state))
}

/** Writes a file with mode 0600, and its folder. A crash leaves either the old or the new content. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}.tmp`
  const handle = openSync(temporary, 'w', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, file)
}

function fileOf(directory: string, url: string): string {
  return join(
    directory,
    `${url
      .replace(/^https?:\/\//, '')
      .replace(/\.json$/, '')
      .replace(/[^a-zA-Z0-9.-]+/g, '_')}.json`,
  )
}
