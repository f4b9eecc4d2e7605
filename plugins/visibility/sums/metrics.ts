import { defineRate, field } from 'renown'
import * as v from 'valibot'
import { shareOfAnswers, type TrackedRound } from './rounds'
import type { RunSum } from './sum-runs'

export const mentionRate = defineRate(
  'visibility.mention_rate@1',
  'Share of answers that name the brand. Runs without an answer do not count',
)

export const citationRate = defineRate(
  'visibility.citation_rate@1',
  "Answers that cite the brand's own site, among all answers",
)

const count = (description: string) => field.integer(description, { min: 0 })
const share = (description: string) => v.nullable(field.number(description, { min: 0, max: 1 }))
const interval = (description: string) =>
  v.nullable(v.pipe(v.array(v.number()), v.length(2), v.description(description)))

const intervalText =
  'Its 95 % interval, low and high. It holds that answers of one day move together. For a prompt, a week and fewer than three rounds, it is the Wilson interval of independent answers'

/** The output fields of how often a brand was named and cited. */
export const metrics = {
  runs: count(
    'Number of answers, the n of both rates. Runs that failed, were refused or returned no answer do not count',
  ),
  mentions: count('Answers that name the brand'),
  mention_rate: share('mentions / runs; null where there are no runs'),
  mention_rate_ci: interval(intervalText),
  citations: count("Answers that cite the brand's own site"),
  citation_rate: share('citations / runs'),
  citation_rate_ci: interval(intervalText),
  avg_position: v.nullable(
    field.number('Average place of the brand among those named, over answers that give it one; 1 is first', {
      min: 1,
    }),
  ),
  positions: count('Number of answers that give it a position, the n of avg_position'),
}

/** The definitions of the metrics. */
export const definitions = {
  mention_rate: v.pipe(v.literal(mentionRate.definition), v.description('Definition of mention_rate')),
  citation_rate: v.pipe(v.literal(citationRate.definition), v.description('Definition of citation_rate')),
}
export const definitionIds = {
  mention_rate: mentionRate.definition,
  citation_rate: citationRate.definition,
} as const

/** Counts of one group: answers, and those that name, cite and rank the brand. */
export interface RunTally {
  runs: number
  mentions: number
  citations: number
  placed: number
  places: number
}

const none = (): RunTally => ({ runs: 0, mentions: 0, citations: 0, placed: 0, places: 0 })

export type Key = 'prompt_id' | 'tracker_id' | 'engine' | 'country'

/** The counts of one group, with the values of its fields. */
export interface Grouped {
  readonly key: readonly string[]
  readonly tally: RunTally
}

/** Returns the counts of sums, grouped by these fields. */
export const tallied = (found: readonly RunSum[], by: readonly Key[]): Grouped[] =>
  found.map(({ sums, ...keys }) => ({
    key: by.map((name) => keys[name]),
    tally: {
      runs: sums.answers,
      mentions: sums.mentions,
      citations: sums.citations,
      placed: sums.placed,
      places: sums.places,
    },
  }))

/** Returns the sum of counts. */
export function addUp(groups: readonly Grouped[]): RunTally {
  const all = none()
  for (const { tally } of groups) {
    for (const name of ['runs', 'mentions', 'citations', 'placed', 'places'] as const)
      all[name] += tally[name]
  }
  return all
}

/** Groups counts by one of their values. */
export const splitBy = (groups: readonly Grouped[], place: number): Map<string, Grouped[]> =>
  Map.groupBy(groups, ({ key }) => key[place] ?? '')

/** Returns counts in the output form, with the intervals that their rounds give. */
export function metricsIn(tally: RunTally, rounds: readonly TrackedRound[]) {
  return {
    ...metricsOf(tally),
    mention_rate_ci: shareOfAnswers(rounds, ({ k }) => k).ci95,
    citation_rate_ci: shareOfAnswers(rounds, ({ cited }) => cited).ci95,
  }
}

/** Returns counts in the output form, with intervals as if all answers were independent. */
export function metricsOf({ runs, mentions, citations, placed, places }: RunTally) {
  const named = mentionRate.of(mentions, runs)
  const cited = citationRate.of(citations, runs)
  return {
    runs,
    mentions,
    mention_rate: named.rate,
    mention_rate_ci: named.ci95,
    citations,
    citation_rate: cited.rate,
    citation_rate_ci: cited.ci95,
    avg_position: placed === 0 ? null : Math.round((places / placed) * 1e4) / 1e4,
    positions: placed,
  }
}

/** The schema of this field. */
export const changeSignificant = v.nullable(
  field.flag(
    'Whether mention_rate_v2 differs from the previous period by more than chance makes likely: the change_significant of `change`. Null if the periods cannot be compared',
  ),
)
