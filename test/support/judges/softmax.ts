/** One text to learn from: the places of its features, and the class that it is of. */
export interface Sample {
  readonly features: Int32Array
  readonly label: number
}

/** How much learned weights are held back. */
export interface Learning {
  readonly penalty: number
  readonly rounds: number
}

/**
 * Learns a logistic regression over several classes by steps along the gradient with momentum. Each feature has a
 * scale: a small one is learned slowly and held back more. Deterministic.
 */
export function learn(
  samples: readonly Sample[],
  classes: number,
  scales: Float64Array,
  { penalty, rounds }: Learning,
): Float64Array {
  const size = scales.length * classes
  const weights = new Float64Array(size)
  const speed = new Float64Array(size)
  const gradient = new Float64Array(size)
  const chances = new Float64Array(classes)
  const total = samples.length
  const largest = Math.max(
    ...samples.map(({ features }) => features.reduce((sum, at) => sum + (scales[at] ?? 0) ** 2, 0)),
  )
  const rate = (0.4 * total) / (largest + penalty * total)
  for (let round = 0; round < rounds; round++) {
    gradient.fill(0)
    for (const { features, label } of samples) {
      chancesOf(weights, features, scales, classes, chances)
      for (let one = 0; one < classes; one++) {
        const error = (chances[one] ?? 0) - (one === label ? 1 : 0)
        for (const at of features)
          gradient[at * classes + one] = (gradient[at * classes + one] ?? 0) + error * (scales[at] ?? 0)
      }
    }
    for (let at = 0; at < size; at++) {
      const pull = ((gradient[at] ?? 0) + penalty * (weights[at] ?? 0)) / total
      speed[at] = 0.9 * (speed[at] ?? 0) - rate * pull
      weights[at] = (weights[at] ?? 0) + (speed[at] ?? 0)
    }
  }
  return weights
}

/** Writes the chance of each class. */
export function chancesOf(
  weights: Float64Array,
  features: Int32Array,
  scales: Float64Array,
  classes: number,
  into: Float64Array,
): void {
  let most = Number.NEGATIVE_INFINITY
  for (let one = 0; one < classes; one++) {
    let sum = 0
    for (const at of features) sum += (weights[at * classes + one] ?? 0) * (scales[at] ?? 0)
    into[one] = sum
    if (sum > most) most = sum
  }
  let all = 0
  for (let one = 0; one < classes; one++) {
    into[one] = Math.exp((into[one] ?? 0) - most)
    all += into[one] ?? 0
  }
  for (let one = 0; one < classes; one++) into[one] = (into[one] ?? 0) / all
}
