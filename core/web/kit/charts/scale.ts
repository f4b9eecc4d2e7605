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

/** A scale of days, with the first at the left edge and the last at the right. A single day is in the middle. */
export function dayScale(days: number, width: number) {
  return {
    at: (day: number) => (days < 2 ? width / 2 : (day / (days - 1)) * width),
    /** Returns the day nearest to a position. */
    near: (x: number) =>
      days < 2 ? 0 : Math.max(0, Math.min(days - 1, Math.round((x / width) * (days - 1)))),
    /** Returns the days to label, as many as fit. */
    named: (room: number) => {
      const step = Math.max(1, Math.ceil(days / Math.max(2, Math.floor(width / room))))
      return Array.from({ length: days }, (_, day) => day).filter((day) => day % step === 0)
    },
  }
}
