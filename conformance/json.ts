/** A JSON object with unknown values. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value at a path, or undefined. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value)
}

/** Returns the objects of a list. An empty list if it is not one. */
export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** Returns a property if it is text. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? found : undefined
}

/** A text in an answer, with the names that lead to it. `[]` is any item of a list. */
export interface TextLeaf {
  readonly path: readonly string[]
  readonly text: string
  /** Whether it is the name of a field, not its value. */
  readonly isName: boolean
}

/** Returns every text of a value, and every name of a field. */
export function textsIn(value: unknown, path: readonly string[] = []): TextLeaf[] {
  if (typeof value === 'string') return [{ path, text: value, isName: false }]
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, [...path, '[]']))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, part]) => [
    { path: [...path, name], text: name, isName: true },
    ...textsIn(part, [...path, name]),
  ])
}
