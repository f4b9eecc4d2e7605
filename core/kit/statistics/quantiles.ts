/** The 97.5 % quantile of the normal distribution: half the width of a 95 % interval in standard deviations. */
export const normal95 = 1.959963984540054

/**
 * Returns the 97.5 % quantile of Student's t, for any number of degrees of freedom from 1 on. Hill, G. W. (1970),
 * Algorithm 396: Student's t-quantiles, Communications of the ACM 13. Exact for 1 and 2, within 0.01 % otherwise.
 */
export function studentT(freedom: number): number {
  const tails = 0.05
  if (freedom <= 1) return 1 / Math.tan((tails * Math.PI) / 2)
  if (freedom === 2) return Math.sqrt(2 / (tails * (2 - tails)) - 2)
  if (freedom > 1e7) return normal95
  const a = 1 / (freedom - 0.5)
  const b = 48 / a ** 2
  let c = ((20_700 * a) / b - 98) * a ** 2 - 16 * a + 96.36
  const d = ((94.5 / (b + c) - 3) / b + 1) * Math.sqrt((a * Math.PI) / 2) * freedom
  let y = (d * tails) ** (2 / freedom)
  if (y > 0.05 + a) {
    const x = -normal95
    y = x ** 2
    if (freedom < 5) c += 0.3 * (freedom - 4.5) * (x + 0.6)
    c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
    y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
    y = a * y ** 2
    y = y > 0.002 ? Math.exp(y) - 1 : 0.5 * y ** 2 + y
  } else {
    const tail = (freedom + 6) / (freedom * y) - 0.089 * d - 0.822
    y =
      ((1 / (tail * (freedom + 2) * 3) + 0.5 / (freedom + 4)) * y - 1) * ((freedom + 1) / (freedom + 2)) +
      1 / y
  }
  return Math.sqrt(freedom * y)
}
