/** More than the time zones that exist, in all their spellings. */
const rememberedMax = 2_000

/**
 * Returns the function with a memory of its answers for texts. It forgets all of them when it has too many, because callers choose
 * some of the texts. Use it for formatters of `Intl`: making one takes 50 times as long as using it.
 */
export function remembered<Words extends readonly string[], Value>(
  make: (...words: Words) => Value,
): (...words: Words) => Value {
  const known = new Map<string, { readonly value: Value }>()
  return (...words) => {
    const key = words.join('\n')
    const found = known.get(key)
    if (found) return found.value
    const value = make(...words)
    if (known.size >= rememberedMax) known.clear()
    known.set(key, { value })
    return value
  }
}
