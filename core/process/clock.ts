/** The only place that asks the machine for the time. Everything else takes a clock by argument. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
