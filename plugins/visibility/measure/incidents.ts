import { wilson } from 'renown'

/** How the runs of one engine ended on one day. */
export interface EngineDay {
  readonly engine: string
  /** Local day, `YYYY-MM-DD`. */
  readonly day: string
  /** Runs that brought an answer. */
  readonly answered: number
  /** Runs without an answer: failed or refused. */
  readonly unanswered: number
}

/** A day on which an engine answered much less often than it usually does. Its answers are left out of rates. */
export interface Incident extends EngineDay {
  /** Share of runs without an answer on that day. */
  readonly share: number
  /** The same share on the other days. */
  readonly usual: number
}

/** With fewer runs on the day, or on the other days, no incident is reported. */
const runsMin = 10
const usualRunsMin = 30
/** Smallest difference that is reported, however significant it is. */
const differenceMin = 0.2

/**
 * Returns the days on which an engine left its band: the share of runs without an answer is higher than on its other
 * days by at least 20 points, and the 95 % intervals of both shares do not touch. An engine that seldom answers, such
 * as one that shows an overview for few questions, has a band of its own.
 */
export function incidentsOf(days: readonly EngineDay[]): Incident[] {
  return [...Map.groupBy(days, ({ engine }) => engine).values()].flatMap((own) => {
    const answered = own.reduce((sum, day) => sum + day.answered, 0)
    const unanswered = own.reduce((sum, day) => sum + day.unanswered, 0)
    return own.flatMap((day) => incidentOf(day, answered - day.answered, unanswered - day.unanswered))
  })
}

function incidentOf(day: EngineDay, answered: number, unanswered: number): Incident[] {
  const [runs, others] = [day.answered + day.unanswered, answered + unanswered]
  if (runs < runsMin || others < usualRunsMin) return []
  const [here, usual] = [wilson(day.unanswered, runs), wilson(unanswered, others)]
  const share = day.unanswered / runs
  const isOutside = here !== null && usual !== null && here[0] > usual[1]
  return isOutside && share - unanswered / others >= differenceMin
    ? [{ ...day, share, usual: unanswered / others }]
    : []
}
