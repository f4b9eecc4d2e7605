import type { KeyObject } from 'node:crypto'
import { dayMs, hourMs, type Log, messageOf, type SafeFetch } from 'renown/contracts'
import { fetchKeys } from './key-fetch'
import { acceptKeys, type KeyState, loadKeys, saveKeys, unknownDirectory } from './key-state'
import { algorithmOf, keyObject } from './keys'

export interface KeyringOptions {
  /** Folder of the cached directories. */
  readonly directory: string
  /** The hosts whose directories are fetched. No others ever are. */
  readonly hosts: readonly string[]
  readonly safeFetch?: SafeFetch | null
  /** Base URL of a mirror with the layout `<host>/<path>`. If empty, the signers' own addresses are used. */
  readonly mirror?: string
  readonly fetch: typeof globalThis.fetch
  readonly now: () => Date
  readonly log: Log
  readonly timeoutMs?: number
  /** Spreads the requests of many processes over time. Default: `Math.random`. */
  readonly random?: () => number
}

/** A key, with the times between which it can verify requests, in milliseconds since the epoch. */
export interface VerifyingKey {
  readonly object: KeyObject
  readonly algorithm: string
  readonly from: number
  readonly until: number
}

/** The status of one signer's directory. */
export interface DirectoryStatus {
  readonly host: string
  readonly keys: number
  readonly lastOkAt: number | null
  readonly lastError: string | null
  /** Whether its keys are used for requests of now. */
  readonly isFresh: boolean
}

/** The keys of the known signers, now and in the last 30 days. */
export interface Keyring {
  /** Loads the cached directories before it returns, then fetches all of them now and every six hours. */
  start(): Promise<void>
  stop(): void
  /**
   * Returns a key by its thumbprint, or null. A missing key is fetched in the background, at most once in five
   * minutes for each signer.
   */
  find(host: string, keyid: string): VerifyingKey | null
  status(): DirectoryStatus[]
}

const everyMs = 6 * hourMs
const retryMs = 5 * 60_000
/** How long after the last complete fetch the keys still verify requests. */
export const keysUsedMs = 30 * dayMs

/** Creates the keyring. It reads and fetches nothing before `start`. A failed fetch never removes a key. */
export function createKeyring(options: KeyringOptions): Keyring {
  const { directory, hosts, log, now, random = Math.random } = options
  const fetching = { safeFetch: null, mirror: '', timeoutMs: 10_000, ...options }
  const states = new Map(hosts.map((host) => [host, unknownDirectory(host)]))
  const objects = new Map(hosts.map((host) => [host, keysOf(unknownDirectory(host))]))
  const running = new Map<string, Promise<void>>()
  const triedAt = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false

  const set = (state: KeyState) => {
    states.set(state.host, state)
    objects.set(state.host, keysOf(state))
  }
  async function renew(state: KeyState): Promise<void> {
    try {
      const listed = await fetchKeys(fetching, state.host)
      if (isStopped) return
      set(acceptKeys(state, listed, now().getTime()))
      saveKeys(directory, states.get(state.host) ?? state)
    } catch (error) {
      if (isStopped) return
      set({ ...(states.get(state.host) ?? state), lastError: messageOf(error) })
      log.debug('the keys of a signer could not be renewed', { host: state.host, reason: messageOf(error) })
    }
  }
  function fetchOne(state: KeyState): Promise<void> {
    const { host } = state
    const under = running.get(host)
    if (under) return under
    triedAt.set(host, now().getTime())
    const run = renew(state).finally(() => running.delete(host))
    running.set(host, run)
    return run
  }
  async function round(): Promise<void> {
    await Promise.all([...states.values()].map(fetchOne))
    if (isStopped) return
    const hasFailed = [...states.values()].some(({ lastError }) => lastError !== null)
    clearTimeout(timer)
    // A machine without network at boot recovers soon.
    timer = setTimeout(round, (hasFailed ? hourMs : everyMs) * (0.9 + random() * 0.2))
    timer.unref()
  }
  return {
    start() {
      isStopped = false
      for (const host of hosts) {
        const state = loadKeys(directory, host)
        if (state) set(state)
      }
      return round()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
    find(host, keyid) {
      const found = objects.get(host)?.get(keyid)
      if (found) return found
      const state = states.get(host)
      const isDue = now().getTime() - (triedAt.get(host) ?? Number.NEGATIVE_INFINITY) >= retryMs
      if (state && isDue && !isStopped) void fetchOne(state)
      return null
    },
    status: () =>
      [...states.values()].map(({ host, keys, lastOkAt, lastError }) => ({
        host,
        keys: keys.filter(({ goneAt }) => goneAt === null).length,
        lastOkAt,
        lastError,
        isFresh: lastOkAt !== null && now().getTime() < lastOkAt + keysUsedMs,
      })),
  }
}

function keysOf({ keys, lastOkAt }: KeyState): ReadonlyMap<string, VerifyingKey> {
  return new Map(
    keys.flatMap(({ keyid, key, from, until, goneAt }) => {
      const object = keyObject(key)
      if (!object) return []
      const ends = [until, goneAt, (lastOkAt ?? 0) + keysUsedMs].filter((end) => end !== null)
      const times = { from: from ?? Number.NEGATIVE_INFINITY, until: Math.min(...ends) }
      return [[keyid, { object, algorithm: algorithmOf(key), ...times }] as const]
    }),
  )
}
