/** A replacement that an operator proposes. `at` is a node, a part of it or a node with its comma. */
export interface Edit {
  readonly operator: string
  readonly at: { readonly start: number; readonly end: number }
  readonly to: string
}

/** One change of one place of a source file. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly original: string
  readonly replacement: string
  readonly operator: string
  /** The line on which it begins, trimmed: it finds the place again after lines have moved. */
  readonly code: string
}

/** Applies a mutant to the text of its file. */
export const applied = (text: string, { start, end, replacement }: Mutant): string =>
  `${text.slice(0, start)}${replacement}${text.slice(end)}`

/** What a mutant is known by while its line stays as it is. */
export const keyOf = ({
  file,
  code,
  original,
  replacement,
}: Omit<Mutant, 'line' | 'start' | 'end' | 'operator'>) => [file, code, original, replacement].join('\n')

/** A mutant on one line, as reports print it. */
export function printed({ file, line, original, replacement, operator }: Mutant): string {
  const short = (text: string) => {
    const flat = text.replace(/\s+/g, ' ')
    return flat.length > 70 ? `${flat.slice(0, 50)} … ${flat.slice(-18)}` : flat
  }
  return `${file}:${line} [${operator}] ${short(original)} → ${short(replacement) || '(nothing)'}`
}

/**
 * Draws mutants by a seed. Each mutant has a rank of its own, so a change elsewhere in the tree does not change which
 * of the others are drawn.
 */
export function drawn(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const seen = new Map<string, number>()
  const ranked = mutants.map((mutant) => {
    const key = keyOf(mutant)
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return { mutant, rank: Bun.hash.wyhash(`${key}\n${nth}`, BigInt(seed)) }
  })
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
  return ranked.slice(0, count).map(({ mutant }) => mutant)
}
