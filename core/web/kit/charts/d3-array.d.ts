// Declared here, because the types of d3-array need DOM types, which plugins must not have.

/** Extends a range to round numbers that fit this number of ticks. */
export function nice(start: number, stop: number, count: number): [number, number]

/** Returns about `count` round numbers within a range. */
export function ticks(start: number, stop: number, count: number): number[]
