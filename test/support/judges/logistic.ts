/** A text as it is learned from: its features, and whether the answer is yes. */
export interface Example {
  readonly features: ReadonlyMap<string, number>
  readonly isYes: boolean
}

/** A learned classifier. */
export interface Learnt {
  readonly bias: number
  readonly weights: ReadonlyMap<string, number>
}

/** What a feature may say: 1 only yes, -1 only no, 0 either. Null: it is left out. */
export type SignOf = (feature: string) => 1 | -1 | 0 | null

const roundsMax = 400
const enough = 1e-5

/**
 * Learns a logistic regression with a quadratic penalty by descent along one feature at a time. A feature keeps the
 * sign that its meaning gives it, so that few texts cannot teach that a price speaks against a business. The result
 * depends on nothing but the examples and their order.
 */
export function learn(examples: readonly Example[], penalty: number, signOf: SignOf): Learnt {
  const names = [...new Set(examples.flatMap(({ features }) => [...features.keys()]))]
    .filter((name) => signOf(name) !== null)
    .sort()
  const columns = names.map((name) =>
    examples.flatMap(({ features }, at): [number, number][] => {
      const value = features.get(name)
      return value === undefined ? [] : [[at, value]]
    }),
  )
  const steps = columns.map(
    (column) => penalty + column.reduce((sum, [, value]) => sum + value * value * 0.25, 0),
  )
  const signs = names.map(signOf)
  const weights = names.map(() => 0)
  const sums = examples.map(() => 0)
  let bias = 0
  const share = (at: number) => 1 / (1 + Math.exp(-((sums[at] as number) + bias)))
  const missing = (at: number) => (examples[at]?.isYes ? 1 : 0) - share(at)
  for (let round = 0; round < roundsMax; round++) {
    let gradient = 0
    let curve = enough
    for (const at of examples.keys()) {
      gradient += missing(at)
      curve += share(at) * (1 - share(at))
    }
    bias += gradient / curve
    let most = 0
    for (const [n, column] of columns.entries()) {
      const old = weights[n] as number
      const slope = column.reduce((sum, [at, value]) => sum + value * missing(at), -penalty * old)
      const stepped = old + slope / (steps[n] as number)
      const sign = signs[n]
      const next = (sign === 1 && stepped < 0) || (sign === -1 && stepped > 0) ? 0 : stepped
      if (next === old) continue
      weights[n] = next
      for (const [at, value] of column) sums[at] = (sums[at] as number) + (next - old) * value
      most = Math.max(most, Math.abs(next - old))
    }
    if (most < enough) break
  }
  return { bias, weights: new Map(names.map((name, n) => [name, weights[n] as number])) }
}

/** Returns the sum of a text: above 0 the answer is more likely yes. */
export const sumOf = ({ bias, weights }: Learnt, features: ReadonlyMap<string, number>): number =>
  [...features].reduce((sum, [name, value]) => sum + (weights.get(name) ?? 0) * value, bias)
