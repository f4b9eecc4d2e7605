import { createNameFinder } from './find-names'

/** The names that a tracker looks for. */
export interface Brand {
  readonly brand_name: string
  readonly brand_aliases: readonly string[]
}

/**
 * Returns a function that says whether a prompt names the brand or an alias. The headline rate leaves out
 * such prompts, because their answers name the brand anyway.
 */
export function brandedBy({ brand_name, brand_aliases }: Brand): (text: string) => boolean {
  const find = createNameFinder([{ id: 'brand', names: [brand_name, ...brand_aliases] }])
  return (text) => find(text).length > 0
}
