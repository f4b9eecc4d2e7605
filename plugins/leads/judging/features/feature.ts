/** Where a feature shows: the words from `at` to before `to`. */
export interface WordSpan {
  readonly at: number
  readonly to: number
}

/** What a text shows, with how much. */
export interface Feature {
  readonly value: number
  readonly evidence?: WordSpan
}

/** The features of a text by name. Those that it does not show are absent. */
export type Features = ReadonlyMap<string, Feature>

/** Takes a feature. A value of 0 is left out. */
export type SetFeature = (name: string, value: number, evidence?: WordSpan) => void

const hitsMax = 4

/** How much a number of hits counts: the second counts less than the first. */
export const weightOf = (count: number): number => Math.log2(1 + Math.min(count, hitsMax))

/** Returns a map of features and what fills it. */
export function collectFeatures(): { readonly features: Map<string, Feature>; readonly set: SetFeature } {
  const features = new Map<string, Feature>()
  return {
    features,
    set(name, value, evidence) {
      if (value !== 0) features.set(name, evidence ? { value, evidence } : { value })
    },
  }
}
