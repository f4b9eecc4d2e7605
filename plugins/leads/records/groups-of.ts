/** Values in one query, at most. */
export const groupMax = 200

/** Yields values in groups that one query can name. */
export function* groupsOf<T>(values: readonly T[]): Generator<T[]> {
  for (let at = 0; at < values.length; at += groupMax) yield values.slice(at, at + groupMax)
}
