import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs } from 'renown/contracts'
import * as v from 'valibot'
import { type ListedKey, publicKeySchema } from './keys'

const instant = v.pipe(v.number(), v.finite())
const stateSchema = v.object({
  host: v.string(),
  /** The last complete fetch. */
  lastOkAt: v.nullable(instant),
  lastError: v.nullable(v.string()),
  keys: v.array(
    v.object({
      keyid: v.string(),
      key: publicKeySchema,
      from: v.nullable(instant),
      until: v.nullable(instant),
      /** When the key was first fetched. */
      fetchedAt: instant,
      /** The first complete fetch without the key, or null if the directory still has it. */
      goneAt: v.nullable(instant),
    }),
  ),
})

/** The keys of one signer, as stored on disk. Times are milliseconds since the epoch. */
export type KeyState = v.InferOutput<typeof stateSchema>

/** How long a key that left its directory can verify requests from before that. Imports can be older than live logs. */
const rememberedMs = 30 * dayMs
const rememberedMax = 64

/** Returns the state of a directory that was never fetched. */
export const unknownDirectory = (host: string): KeyState => ({
  host,
  lastOkAt: null,
  lastError: null,
  keys: [],
})

/** Returns the state after a complete fetch. Keys that left the directory stay for requests from before that. */
export function acceptKeys(state: KeyState, listed: readonly ListedKey[], now: number): KeyState {
  const before = new Map(state.keys.map((key) => [key.keyid, key]))
  const current = new Map(
    listed.map(({ keyid, key, from, until }) => {
      const fetchedAt = before.get(keyid)?.fetchedAt ?? now
      return [keyid, { keyid, key, from, until, fetchedAt, goneAt: null }]
    }),
  )
  const gone = state.keys
    .filter(({ keyid, goneAt }) => !current.has(keyid) && now - (goneAt ?? now) <= rememberedMs)
    .map((key) => ({ ...key, goneAt: key.goneAt ?? now }))
    .toSorted((a, b) => b.goneAt - a.goneAt)
    .slice(0, rememberedMax)
  return { ...state, lastOkAt: now, lastError: null, keys: [...current.values(), ...gone] }
}

/** Reads the state of a signer, or null if it is missing or invalid. */
export function loadKeys(directory: string, host: string): KeyState | null {
  try {
    const result = v.safeParse(stateSchema, JSON.parse(readFileSync(fileOf(directory, host), 'utf8')))
    return result.success && result.output.host === host ? result.output : null
  } catch {
    return null
  }
}

/** Writes the state of a signer with mode 0600. A crash leaves either the old or the new file. */
export function saveKeys(directory: string, state: KeyState): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const file = fileOf(directory, state.host)
  const temporary = `${file}.${process.pid}.tmp`
  const handle = openSync(temporary, 'w', 0o600)
  try {
    writeSync(handle, JSON.stringify(state))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, file)
}

const fileOf = (directory: string, host: string) =>
  join(directory, `${createHash('sha256').update(host).digest('hex').slice(0, 24)}.json`)
