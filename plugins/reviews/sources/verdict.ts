/** The verdict of a platform without stars, out of what is kept of it with a review; undefined where there is none. */
export function recommendsOf(metadata: unknown): boolean | undefined {
  const { recommendation_type: verdict } = (metadata ?? {}) as { readonly recommendation_type?: unknown }
  return verdict === 'positive' ? true : verdict === 'negative' ? false : undefined
}
