/** Stands before a percent sign, so that lines do not break there. */
const space = '\u00a0'

/** A share as text: 42 %. A share that only rounds to 0 or 100 is written as less than 1 % or more than 99 %. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return `<1${space}%`
  if (rounded === 100 && share < 1) return `>99${space}%`
  return `${rounded}${space}%`
}

/** An interval as text: 37 to 47 %. */
export const intervalWords = ([low, high]: readonly [number, number] | readonly number[]): string =>
  `${Math.floor(percentOf(low ?? 0))} to ${Math.ceil(percentOf(high ?? 1))}${space}%`

/** A share in percent, without the error of binary fractions: 0.07 is 7, not 7.000000000000001. */
const percentOf = (share: number) => Math.round(share * 1e8) / 1e6
