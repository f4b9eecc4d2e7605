import { distance } from 'fastest-levenshtein'

/** Returns the candidate that a mistyped word most likely means, or undefined if none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > 64) return undefined
  const lower = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const candidate of candidates) {
    const changes = distance(lower, candidate.toLowerCase())
    if (changes >= bestDistance) continue
    best = candidate
    bestDistance = changes
  }
  return best
}
