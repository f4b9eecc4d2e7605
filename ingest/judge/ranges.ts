import {
  type Doubt,
  dayMs,
  hourMs,
  type Log,
  messageOf,
  type RangeListStatus,
  trimTrailing,
  type Verdict,
} from 'renown/contracts'
import { documentedRanges, type RangeList, rangeLists } from '../data/operators'
import { isPublic, type Prefix, parsePrefix } from '../parse/address'
import type { Agent } from './classify'
import { fetchRangeList } from './range-fetch'
import { readRangeList } from './range-list'
import { accept, graceMs, loadState, type RangeState, saveState, unknownList } from './range-state'
import { storedDoubts } from './stored-doubts'
import { createVerifier, type OperatorRanges, type Verifier } from './verify'

const freshMs = 72 * hourMs
const usedMs = 30 * dayMs
const everyMs = 6 * hourMs
const retryMs = 15 * 60_000
const skewMs = 10 * 60_000

export interface RangesOptions {
  /** Folder of the cached lists. */
  readonly directory: string
  /** Base URL of a mirror with the layout `<host>/<path>`. If empty, the operators' own addresses are used. */
  readonly mirror?: string
  readonly fetch: typeof globalThis.fetch
  readonly now: () => Date
  readonly log: Log
  /** The lists to read. Default: those of the registry. */
  readonly lists?: readonly RangeList[]
  readonly documented?: Readonly<Record<string, readonly string[]>>
  /** Whether an address is on the public internet. */
  readonly isPublic?: typeof isPublic
  /** Time limit for one list. */
  readonly timeoutMs?: number
  /** Spreads the requests of many processes over time. Default: `Math.random`. */
  readonly random?: () => number
}

/** Which lists are read, and the ranges that operators document in text. */
export interface RangeScope {
  readonly lists: readonly RangeList[]
  readonly documented: Readonly<Record<string, readonly string[]>>
}

/** The current address lists of operators, and the verdicts based on them. */
export interface Ranges {
  /**
   * Loads the cached lists before it returns, then fetches all lists now and every six hours. Resolves after
   * the first round (at most about 15 s), whether or not it succeeded.
   */
  start(): Promise<void>
  stop(): void
  status(): RangeListStatus[]
  /** Replaces the lists and the documented ranges. Fetches the lists that are new. */
  use(scope: RangeScope): void
  /** Fetches every list now. Calls during a round share it. */
  refresh(): Promise<RangeListStatus[]>
  /**
   * Returns whether a hit came from the agent's operator. `ts` is the time of the hit, in milliseconds since
   * the epoch.
   */
  verdict(agent: Agent, ip: string | null, ts: number, now?: number): Verdict
  /** Whether the addresses of an operator are in doubt. The status says why. */
  isInDoubt(operator: string): boolean
}

/**
 * Returns six hours, or less after a failure, so that a machine without network at boot recovers. Varies by a
 * tenth.
 */
export function roundPauseMs(failures: number, random: number): number {
  const pause = failures === 0 ? everyMs : Math.min(everyMs, retryMs * 2 ** (failures - 1))
  return pause * (0.9 + random * 0.2)
}

/** Creates the keeper of the lists. It reads and fetches nothing before `start` or `refresh`. */
export function createRanges(given: RangesOptions): Ranges {
  const { directory, log, random = Math.random } = given
  let options = given
  let { lists = rangeLists } = options
  const states = new Map(lists.map(({ url }) => [url, unknownList(url)]))
  let judge = judgeOf(options, states)
  let round: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isStarted = false
  let halt = new AbortController()
  // The operator may have published other addresses.
  const doubts = storedDoubts({ directory, log, onDoubt: () => void (isStarted && refresh()) })

  const load = () => {
    for (const { url } of lists) {
      const state = loadState(directory, url)
      if (state && state.lastOkAt !== null) states.set(url, state)
    }
    judge = judgeOf(options, states)
  }
  const runRound = async () => {
    const outcomes = await Promise.all(
      lists.map(async (list) => {
        const state = await renewed(options, list, stateOf(states, list), halt.signal)
        if (halt.signal.aborted || !states.has(list.url)) return true
        if (state.sha256 !== stateOf(states, list).sha256) doubts.renewed(list.operator)
        states.set(list.url, state)
        return keep(directory, state, log)
      }),
    )
    if (halt.signal.aborted) return
    failures = outcomes.every(Boolean) ? 0 : failures + 1
    if (failures > 0) warnOf(log, lists, states)
    judge = judgeOf(options, states)
  }
  const refresh = () => {
    round ??= runRound().finally(() => {
      round = null
    })
    return round
  }
  const loop = async () => {
    await refresh()
    if (halt.signal.aborted) return
    clearTimeout(timer)
    timer = setTimeout(loop, roundPauseMs(failures, random()))
    timer.unref()
  }
  const status = () =>
    lists.map((list) =>
      statusOf(list, stateOf(states, list), options.now().getTime(), doubts.of(list.operator)),
    )
  return {
    start() {
      halt = new AbortController()
      isStarted = true
      load()
      return loop()
    },
    stop() {
      halt.abort()
      isStarted = false
      doubts.save()
      clearTimeout(timer)
    },
    status,
    use(scope) {
      if (Bun.deepEquals(scope, { lists, documented: options.documented ?? documentedRanges })) return
      const fresh = scope.lists.filter(({ url }) => !states.has(url))
      const urls = new Set(scope.lists.map(({ url }) => url))
      for (const url of states.keys()) if (!urls.has(url)) states.delete(url)
      for (const { url } of fresh) states.set(url, loadState(directory, url) ?? unknownList(url))
      options = { ...options, ...scope }
      lists = scope.lists
      judge = judgeOf(options, states)
      // Before the start, the first round fetches them. A running round does not have them.
      if (isStarted && fresh.length > 0) void (round ?? Promise.resolve()).then(refresh)
    },
    refresh: () => refresh().then(status),
    verdict(agent, ip, ts, now = options.now().getTime()) {
      if (now >= judge.until || now < judge.from) judge = judgeOf(options, states)
      return doubts.judge(judge.verifier.verdict(agent, ip, ts, now), agent.operator, ts, now)
    },
    isInDoubt: (operator) => doubts.has(operator),
  }
}

/** Logs one line per round, however many lists failed, because without a network all of them fail. */
function warnOf(log: Log, lists: readonly RangeList[], states: ReadonlyMap<string, RangeState>): void {
  const failed = lists.flatMap(({ url, operator }) => {
    const reason = stateOf(states, { url }).lastError
    return reason === null ? [] : [{ operator, reason }]
  })
  const reasons = Map.groupBy(failed, ({ reason }) => reason)
  const byCount = [...reasons].toSorted(([, a], [, b]) => b.length - a.length)
  log.warn(`${failed.length} of ${lists.length} address lists could not be renewed`, {
    operators: [...new Set(failed.map(({ operator }) => operator))].toSorted(),
    reason: byCount.map(([reason]) => reason)[0],
  })
}

async function renewed(
  options: RangesOptions,
  list: RangeList,
  state: RangeState,
  halt: AbortSignal,
): Promise<RangeState> {
  const { mirror = '', timeoutMs = 15_000, isPublic: open = isPublic } = options
  try {
    const url = mirror ? mirrored(mirror, list.url) : list.url
    const signal = AbortSignal.any([halt, AbortSignal.timeout(timeoutMs)])
    const answer = await fetchRangeList(options.fetch, url, state, signal)
    const now = options.now().getTime()
    if ('unchanged' in answer) return { ...state, lastOkAt: now, lastError: null, shrunken: null }
    const { etag, modified } = answer
    return accept(state, readRangeList(answer.body, list.format, open), { etag, modified }, now)
  } catch (error) {
    return { ...state, lastError: messageOf(error) }
  }
}

function keep(directory: string, state: RangeState, log: Log): boolean {
  if (state.lastError !== null)
    log.debug('an address list could not be renewed', { url: state.url, reason: state.lastError })
  try {
    if (state.lastOkAt !== null) saveState(directory, state)
  } catch (error) {
    log.warn('an address list could not be cached', { url: state.url, reason: String(error) })
  }
  return state.lastError === null
}

function mirrored(mirror: string, url: string): string {
  const { host, pathname } = new URL(url)
  return `${trimTrailing(mirror, '/')}/${host}${pathname}`
}

/** Every list has a state from the start. */
const stateOf = (states: ReadonlyMap<string, RangeState>, { url }: Pick<RangeList, 'url'>): RangeState =>
  states.get(url) as RangeState

interface Judge {
  readonly verifier: Verifier
  /** When a list becomes too old to use. */
  readonly until: number
  /** Hits before this time prove nothing, because the clock was set back since. */
  readonly from: number
}

function judgeOf(options: RangesOptions, states: ReadonlyMap<string, RangeState>): Judge {
  const { lists = rangeLists, documented = documentedRanges, now } = options
  const at = now().getTime()
  const freshUntil = ({ lastOkAt }: RangeState) =>
    lastOkAt === null || isAhead(lastOkAt, at) ? Number.NEGATIVE_INFINITY : lastOkAt + freshMs
  const names = new Set([...lists.map((list) => list.operator), ...Object.keys(documented)])
  const operators = [...names].map((operator): OperatorRanges => {
    const own = lists.filter((list) => list.operator === operator).map((list) => stateOf(states, list))
    const there = own.filter((state) => !isMissing(state))
    return {
      operator,
      prefixes: [...(documented[operator] ?? []), ...own.flatMap((state) => usable(state, at))].map(toPrefix),
      freshUntil: there.length > 0 ? Math.min(...there.map(freshUntil)) : Number.NEGATIVE_INFINITY,
      missing: new Set(own.filter(isMissing).map(({ url }) => url)),
    }
  })
  const ends = [...states.values()].map(({ lastOkAt }) => Number(lastOkAt) + usedMs).filter((end) => end > at)
  return {
    verifier: createVerifier(operators, options.isPublic),
    until: Math.min(...ends),
    from: at - skewMs,
  }
}

/**
 * Whether the publisher or the mirror says that the list does not exist. Agents of other lists can then still
 * be judged.
 */
const isMissing = ({ lastOkAt, lastError }: RangeState) =>
  lastOkAt === null && /^answered (?:404|410)$/.test(String(lastError))

/** Whether a list was fetched before the clock was set back. Its age is then unknown, so no hit counts as spoofed. */
const isAhead = (lastOkAt: number, now: number) => lastOkAt > now + skewMs

function usable(state: RangeState, now: number): string[] {
  if (now - Number(state.lastOkAt) >= usedMs) return []
  const grace = state.withdrawn.filter(({ at }) => now - at <= graceMs)
  return [...state.prefixes, ...grace.map(({ prefix }) => prefix)]
}

function toPrefix(text: string): Prefix {
  const prefix = parsePrefix(text)
  if (!prefix) throw new Error(`${text} is not a network`)
  return prefix
}

function statusOf(
  { url, operator }: RangeList,
  state: RangeState,
  now: number,
  in_doubt: Doubt | null,
): RangeListStatus {
  const { lastOkAt } = state
  const age = lastOkAt === null ? null : Math.max(0, now - lastOkAt)
  return {
    url,
    operator,
    prefixes: state.prefixes.length,
    sha256: state.sha256,
    last_ok_at: lastOkAt === null ? null : new Date(lastOkAt).toISOString(),
    age_seconds: age === null ? null : Math.floor(age / 1000),
    status:
      age === null
        ? 'never_fetched'
        : age > usedMs
          ? 'unused'
          : age > freshMs || isAhead(Number(lastOkAt), now)
            ? 'stale'
            : 'fresh',
    last_error: state.lastError,
    ...(in_doubt ? { in_doubt } : {}),
  }
}
