import { shiftDay } from 'renown'
import { watchRoundsMax } from 'renown/statistics'

/** A period of days, both included. */
export interface Days {
  readonly from: string
  readonly until: string
}

/** Rounds at the beginning and at the end of a series in which a watched prompt was asked. */
const edgeRounds = 3
/** A new series has at least this many days, so that the chance of a false alarm is not spent often. */
const renewDays = 60
/** A series of which nothing can be watched begins again after this many days. */
const lostDays = 14
/** Below this share of the prompts that are asked now, the series begins again. */
const watchedShareMin = 0.8

/** The first and the last answer to a prompt, as days. */
export interface PromptDays {
  readonly id: string
  readonly first: string
  readonly last: string
}

/**
 * Returns the prompts that were asked from the beginning of a series to its end. Others would move the rate by coming or
 * going. `answered` are its days with answers, in order.
 */
export function watchedPrompts(answered: readonly string[], prompts: readonly PromptDays[]): Set<string> {
  const { begun, ending } = edgesOf(answered)
  return new Set(prompts.filter(({ first, last }) => first <= begun && last >= ending).map(({ id }) => id))
}

function edgesOf(answered: readonly string[]) {
  const begun = answered[Math.min(edgeRounds, answered.length) - 1] ?? ''
  return { begun, ending: answered.at(-edgeRounds) ?? answered[0] ?? '' }
}

/**
 * Returns the first day of the series that follows. Null while the present one goes on. A series ends after a year, and
 * earlier if most of the prompts that are asked now came later.
 */
export function nextSeries(
  { from, until }: Days,
  answered: readonly string[],
  prompts: readonly PromptDays[],
): string | null {
  if (answered.length >= watchRoundsMax) return answered.at(-renewDays) ?? until
  const { ending } = edgesOf(answered)
  const asked = prompts.filter(({ last }) => last >= ending)
  const watched = watchedPrompts(answered, prompts).size
  const isOlder = (days: number) => shiftDay(from, days - 1) <= until
  if (watched === 0) return asked.length > 0 && isOlder(lostDays) ? shiftDay(until, 1 - lostDays) : null
  return watched < watchedShareMin * asked.length && isOlder(renewDays)
    ? shiftDay(until, 1 - renewDays / 2)
    : null
}
