const z = 1.959963984540054

/**
 * The 95 % Wilson interval of k successes in n trials; null where n is 0.
 * Wilson, E. B. (1927), Probable inference, the law of succession, and statistical inference.
 */
export function wilson(k: number, n: number): [low: number, high: number] | null {
  if (n <= 0) return null
  const p = k / n
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  const middle = p + (z * z) / (2 * n)
  const scale = 1 + (z * z) / n
  return [rounded(Math.max(0, (middle - spread) / scale)), rounded(Math.min(1, (middle + spread) / scale))]
}

/** Rounds to six decimal places. */
export const rounded = (value: number) => Math.round(value * 1e6) / 1e6
