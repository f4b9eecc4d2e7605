import type { GroupRow, ReadContext } from 'renown'
import { type Basket, dayShiftOf, type Round, shareOf } from 'renown/statistics'
import { roundSeriesOf, type TrackedCell } from './cells'
import type { RunSpan } from './run-span'
import { type RunSum, sumRuns } from './sum-runs'

/** What one assistant answered on one day for one country. */
export interface TrackedRound extends Round {
  readonly tracker_id: string
  readonly engine: string
  readonly country: string
  /** Answers that recommend the brand. */
  readonly recommended: number
  /** Answers whose stance is known, or that do not name the brand. */
  readonly judged: number
  /** Answers that cite the brand's own site. */
  readonly cited: number
}

/** The cells of a period and its rounds. Both count the same answers. */
export interface Answers {
  readonly cells: readonly TrackedCell[]
  readonly rounds: readonly TrackedRound[]
}

/** What cells and rounds have in common. */
type Asked = Pick<TrackedRound, 'tracker_id' | 'engine' | 'country'>

/** Returns some of the answers. */
export const pickAnswers = ({ cells, rounds }: Answers, isInside: (asked: Asked) => boolean): Answers => ({
  cells: cells.filter(isInside),
  rounds: rounds.filter(isInside),
})

/** Returns the same answers, counted by whether they recommend the brand. */
export const asRecommended = ({ cells, rounds }: Answers): Answers => {
  const recommended = <T extends TrackedCell | TrackedRound>(one: T): T => ({
    ...one,
    k: one.recommended,
    n: one.judged,
  })
  return { cells: cells.map(recommended), rounds: rounds.map(recommended) }
}

/** Returns what an estimate and a comparison need: the cells, and how much the days of the rounds differ. */
export const basketOf = ({ cells, rounds }: Answers): Basket<TrackedCell> => ({
  cells,
  shift: dayShiftOf(cells, rounds),
})

/** The fields that identify a series. */
export const roundFields = ['tracker_id', 'engine', 'country'] as const
const of = ['stances', 'brand'] as const

/** Returns the rounds of a span, without the answers to some prompts. */
export async function roundsIn(
  ctx: ReadContext,
  span: RunSpan,
  closed: readonly string[],
): Promise<TrackedRound[]> {
  const query = { of, by: roundFields, stretch: 'day' as const }
  const [all, left] = await Promise.all([
    sumRuns(ctx, span, query),
    closed.length === 0 ? [] : sumRuns(ctx, span, { ...query, prompts: closed }),
  ])
  return withoutRounds(all.map(roundOf), left.map(roundOf))
}

/** Returns a share of all answers of these rounds, such as those that name the brand. Days are the unit. */
export const shareOfAnswers = (rounds: readonly TrackedRound[], countOf: (round: TrackedRound) => number) =>
  shareOf(
    rounds.map((round) => ({
      series: round.series,
      day: round.day,
      answers: round.n,
      k: countOf(round),
      n: round.n,
    })),
  )

/** Returns the prompts of cells that do not count. */
export const closedPrompts = (cells: readonly TrackedCell[], open: ReadonlySet<string>): string[] => [
  ...new Set(cells.map(({ prompt_id }) => prompt_id).filter((id) => !open.has(id))),
]

const roundOf = ({ tracker_id, engine, country, stretch, sums }: RunSum): TrackedRound => ({
  series: roundSeriesOf({ tracker_id, engine, country }),
  tracker_id,
  engine,
  country,
  day: stretch,
  k: sums.mentions,
  n: sums.answers,
  recommended: sums.recommended,
  judged: sums.judged,
  cited: sums.citations,
})

/** Joins groups of answers by tracker, engine, country and day, and by whether they name the brand. */
export function joinRounds(groups: readonly GroupRow[], dayField = 'started_at'): TrackedRound[] {
  const rounds = new Map<string, { -readonly [name in keyof TrackedRound]: TrackedRound[name] }>()
  for (const row of groups) {
    const [tracker_id = '', engine = '', country = ''] = roundFields.map((name) => String(row[name]))
    const series = roundSeriesOf({ tracker_id, engine, country })
    const day = String(row[dayField])
    const counts = { k: 0, n: 0, recommended: 0, judged: 0, cited: 0 }
    const key = `${series} ${day}`
    const round = rounds.get(key) ?? { series, tracker_id, engine, country, day, ...counts }
    rounds.set(key, round)
    const n = Number(row.n)
    round.n += n
    if (row.brand_mentioned === true) round.k += n
  }
  return [...rounds.values()]
}

/** Returns rounds without what others of the same assistant and day count. */
export function withoutRounds(all: readonly TrackedRound[], others: readonly TrackedRound[]): TrackedRound[] {
  const known = new Map(others.map((round) => [`${round.series} ${round.day}`, round]))
  return all
    .map((round) => {
      const other = known.get(`${round.series} ${round.day}`)
      if (!other) return round
      return {
        ...round,
        k: round.k - other.k,
        n: round.n - other.n,
        recommended: round.recommended - other.recommended,
        judged: round.judged - other.judged,
        cited: round.cited - other.cited,
      }
    })
    .filter(({ n }) => n > 0)
}
