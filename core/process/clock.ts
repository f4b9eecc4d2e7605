/** The only code that reads the machine's time. All other code gets a clock as an argument. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
