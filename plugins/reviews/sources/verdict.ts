/**
 * Returns the recommendation on a platform without stars, from a review's metadata. Undefined if there is
 * none.
 */
export function recommendsOf(metadata: unknown): boolean | undefined {
  const { recommendation_type: verdict } = (metadata ?? {}) as { readonly recommendation_type?: unknown }
  return verdict === 'positive' ? true : verdict === 'negative' ? false : undefined
}
