import { nice, ticks } from './d3-array'

/** A linear scale: values to pixels, with round ticks. */
export interface Scale {
  readonly ticks: readonly number[]
  at(value: number): number
}

/** A scale from 0 to the greatest value, rounded up, over `height` pixels from the bottom. */
export function countScale(greatest: number, height: number, wanted = 4): Scale {
  const [, top] = nice(0, Math.max(1, greatest), wanted)
  const at = (value: number) => height - (value / top) * height
  return { at, ticks: ticks(0, top, wanted).filter(Number.isInteger) }
}

/** A scale of days. Each day has a slot of the same width, and is in the middle of it. */
export function dayScale(days: number, width: number) {
  const slot = width / Math.max(1, days)
  return {
    slot,
    at: (day: number) => (day + 0.5) * slot,
    /** Returns the day at a position. */
    near: (x: number) => Math.max(0, Math.min(Math.max(0, days - 1), Math.floor(x / slot))),
    /** Returns the days to label, as many as fit. */
    named: (room: number) => {
      const step = Math.max(1, Math.ceil(days / Math.max(2, Math.floor(width / room))))
      return Array.from({ length: days }, (_, day) => day).filter((day) => day % step === 0)
    },
  }
}
