/**
 * Returns the slot where an id belongs in a table of `mask + 1` slots. Uses the high 31 bits of the hash, because they
 * are as random as the others and fast to compute.
 */
export const firstSlot = (id: number, mask: number): number => (id * 2 ** -22) & mask
