import { dayIn, shiftDay } from 'renown'
import { parseRobots, type Robots } from 'renown/sources'
import type { AgentPath } from '../records/dailyRow'
import type { Copy } from '../records/RobotsCopy'

/** The fields of a copy that decide. */
export type HeldCopy = Pick<Copy, 'rules' | 'first_seen_at' | 'last_seen_at'>

/** A path that an agent fetched although every copy of the time disallowed it. */
export interface DisallowedPath extends AgentPath {
  /** The rule, as the newest of these copies has it. */
  readonly rule: string
}

/** The judgement of a day. */
export interface JudgedPaths {
  /** Hits that were judged. */
  readonly judged: number
  /** Pairs of agent and path, most hits first. */
  readonly disallowed: readonly DisallowedPath[]
}

/** Maximum comparisons of a path with a rule for one day. */
const comparisonsMax = 500_000

/**
 * Returns the copies of a robots.txt that may have held on a day or the day before, oldest first. Crawlers may use a
 * copy for a day. Between the last time that a copy was seen and the first time of the next, both may have held.
 * Returns null if the day cannot be judged: before the day after the first copy, and without a copy of the day.
 */
export function copiesOn<C extends HeldCopy>(
  copies: readonly C[],
  date: string,
  timezone: string,
): readonly C[] | null {
  const sorted = copies.toSorted((a, b) => (a.first_seen_at < b.first_seen_at ? -1 : 1))
  const day = (instant: string) => dayIn(timezone, new Date(instant))
  const [first] = sorted
  if (!first || day(first.first_seen_at) >= date) return null
  if (!sorted.some((copy) => day(copy.first_seen_at) <= date && day(copy.last_seen_at) >= date)) return null
  const before = shiftDay(date, -1)
  return sorted.filter((copy, place) => {
    const from = sorted[place - 1]?.last_seen_at ?? copy.first_seen_at
    const to = sorted[place + 1]?.first_seen_at ?? copy.last_seen_at
    return day(from) <= date && day(to) >= before
  })
}

/** Judges the paths of a day. A path is disallowed only if every copy disallows it. */
export function judgePaths(
  paths: readonly AgentPath[],
  copies: readonly HeldCopy[],
  robotsOf: (rules: string) => Robots = parseRobots,
): JudgedPaths {
  const rules = copies.reduce((sum, copy) => sum + lines(copy.rules), 0)
  const all = copies.map((copy) => robotsOf(copy.rules))
  const judged = rules === 0 ? paths : paths.slice(0, Math.floor(comparisonsMax / rules))
  return {
    judged: judged.reduce((sum, { n }) => sum + n, 0),
    disallowed: judged.flatMap((path) => {
      const verdicts = all.map((robots) => robots.verdict(path.agent, path.path))
      const last = verdicts.at(-1)
      if (!last || verdicts.some(({ allowed }) => allowed)) return []
      return [{ ...path, rule: last.rule ?? '' }]
    }),
  }
}

const lines = (rules: string) => (rules === '' ? 0 : rules.split('\n').length)
