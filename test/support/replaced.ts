/** Returns every place in a JSON value, as a path. */
export function pathsOf(
  value: unknown,
  at: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value)
  return [at, ...entries.flatMap(([key, one]) => pathsOf(one, [...at, key]))]
}

/** Returns a JSON value with another value in one place. Undefined leaves the place out when the value becomes JSON. */
export function replaced(
  value: unknown,
  [first, ...rest]: readonly (string | number)[],
  by: unknown,
): unknown {
  if (first === undefined) return by
  const inner = replaced((value as Record<string | number, unknown>)[first], rest, by)
  if (Array.isArray(value)) return value.with(Number(first), inner)
  return { ...(value as object), [first]: inner }
}
