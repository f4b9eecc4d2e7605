import { wilson } from 'renown'

/** How many runs of one engine had an answer on one day. */
export interface EngineDay {
  readonly engine: string
  /** Day in the workspace's time zone, `YYYY-MM-DD`. */
  readonly day: string
  /** Runs with an answer. */
  readonly answered: number
  /** Runs without an answer: failed or refused. */
  readonly unanswered: number
}

/** A day on which an engine answered much less often than usual. Rates leave out its answers. */
export interface Incident extends EngineDay {
  /** Share of runs without an answer on that day. */
  readonly share: number
  /** The share of runs without an answer on the other days. */
  readonly usual: number
}

/** Minimum runs on the day, and on the other days, for a report of an incident. */
const runsMin = 10
const usualRunsMin = 30
/** Smallest difference that is reported, even if smaller ones are significant. */
const differenceMin = 0.2

/**
 * Returns the days on which an engine answered unusually seldom. The share of runs without an answer is at
 * least 20 points above that of its other days, and the 95 % intervals of both shares do not touch. Each
 * engine is compared only with itself, because some seldom answer: one shows an overview for few questions.
 */
export function incidentsOf(days: readonly EngineDay[]): Incident[] {
  return [...Map.groupBy(days, ({ engine }) => engine).values()].flatMap((own) => {
    const answered = own.reduce((sum, day) => sum + day.answered, 0)
    const unanswered = own.reduce((sum, day) => sum + day.unanswered, 0)
    return own.flatMap((day) => incidentOf(day, answered - day.answered, unanswered - day.unanswered))
  })
}

function incidentOf(day: EngineDay, answered: number, unanswered: number): Incident[] {
  const runs = day.answered + day.unanswered
  const others = answered + unanswered
  if (runs < runsMin || others < usualRunsMin) return []
  const here = wilson(day.unanswered, runs)
  const usual = wilson(unanswered, others)
  const share = day.unanswered / runs
  const isOutside = here !== null && usual !== null && here[0] > usual[1]
  return isOutside && share - unanswered / others >= differenceMin
    ? [{ ...day, share, usual: unanswered / others }]
    : []
}
