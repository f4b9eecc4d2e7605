/** The counter of one name at a site. The true number of hits is from `count - error` to `count`. */
export interface SketchEntry {
  readonly token: string
  host: string | null
  count: number
  readonly error: number
  /** Days in the site's time zone. It may have come earlier, under another count. */
  first: string
  last: string
}

/** The most frequent names of one site, in a fixed number of counters. */
export interface Sketch {
  add(seen: Seen): void
  entries(): readonly SketchEntry[]
  /** No name without a counter has more hits than this. */
  floor(): number
  remove(token: string): void
}

export interface Seen {
  readonly token: string
  readonly host: string | null
  readonly hits: number
  readonly first: string
  readonly last: string
}

/** Counters of a site. With 24, a name has a counter if it has more than a 24th of the site's unknown hits. */
export const countersPerSite = 24

/**
 * Counts names with Space-Saving (Metwally, Agrawal and El Abbadi, 2005): a new name takes the counter with the fewest hits and begins
 * with them as its possible error. So the error of a name is at most the hits of all names divided by the counters.
 */
export function createSketch(restored: readonly SketchEntry[] = []): Sketch {
  const byName = new Map(restored.slice(0, countersPerSite).map((entry) => [keyOf(entry), { ...entry }]))
  const smallest = () =>
    [...byName.values()].reduce((least, entry) => (entry.count < least.count ? entry : least))

  function newEntry({ token, host, hits, first, last }: Seen): SketchEntry {
    if (byName.size < countersPerSite) return { token, host, count: hits, error: 0, first, last }
    const least = smallest()
    byName.delete(keyOf(least))
    return { token, host, count: least.count + hits, error: least.count, first, last }
  }
  return {
    add(seen) {
      const known = byName.get(keyOf(seen))
      if (!known) return void byName.set(keyOf(seen), newEntry(seen))
      known.count += seen.hits
      known.host = seen.host ?? known.host
      if (seen.first < known.first) known.first = seen.first
      if (seen.last > known.last) known.last = seen.last
    },
    entries: () => [...byName.values()],
    floor: () => (byName.size < countersPerSite ? 0 : smallest().count),
    remove: (token) => void byName.delete(token.toLowerCase()),
  }
}

const keyOf = ({ token }: { readonly token: string }) => token.toLowerCase()
