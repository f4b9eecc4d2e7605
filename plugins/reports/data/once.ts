/** Returns a function that reads once per key, and returns the same result to all who ask. */
export function createOnce(): <T>(key: string, read: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<unknown>>()
  return <T>(key: string, read: () => Promise<T>) => {
    const found = (known.get(key) as Promise<T> | undefined) ?? read()
    known.set(key, found)
    return found
  }
}
