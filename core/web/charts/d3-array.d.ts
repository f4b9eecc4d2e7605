// The types of d3-array need those of the DOM, which a plugin need not have.

/** Widens a range to round numbers that suit so many ticks. */
export function nice(start: number, stop: number, count: number): [number, number]

/** Round numbers within a range, about so many. */
export function ticks(start: number, stop: number, count: number): number[]
