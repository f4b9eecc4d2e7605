import { createNameFinder } from './find-names'

/** The names that a tracker looks for. */
export interface Brand {
  readonly brand_name: string
  readonly brand_aliases: readonly string[]
}

/**
 * Returns a function that tells whether a prompt names the brand or an alias. Such a prompt stays out of the headline
 * rate, because an answer to it names the brand anyway.
 */
export function brandedBy({ brand_name, brand_aliases }: Brand): (text: string) => boolean {
  const find = createNameFinder([{ id: 'brand', names: [brand_name, ...brand_aliases] }])
  return (text) => find(text).length > 0
}
