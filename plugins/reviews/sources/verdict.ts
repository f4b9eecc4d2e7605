/**
 * Returns the recommendation on a platform without stars, from a review's metadata. Undefined if there is
 * none.
 */
export function recommendsOf(metadata: unknown): boolean | undefined {
  const { recommendation_type: verdict } = (metadata ?? {}) as { readonly recommendation_type?: unknown }
  return verdict === 'positive' ? true : verdict === 'negative' ? false : undefined
}

/** Returns of a review's metadata only the recommendation. Undefined if there is none. */
export function onlyRecommendation(metadata: unknown): Record<string, unknown> | undefined {
  const recommends = recommendsOf(metadata)
  return recommends === undefined ? undefined : { recommendation_type: recommends ? 'positive' : 'negative' }
}
