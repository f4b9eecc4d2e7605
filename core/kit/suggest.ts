/** Returns the candidate that a mistyped word most likely means, or undefined if none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 64) return undefined
  const lower = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(lower, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Returns the Levenshtein distance, with one row of memory. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
