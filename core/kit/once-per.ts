/** Returns the function with a memory: it computes the value of each object once, as long as the object exists. */
export function oncePer<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const known = values.get(key)
    if (known) return known.value
    const value = compute(key)
    values.set(key, { value })
    return value
  }
}
