/** The most fields that a form or a query string may have. */
export const formPairsMax = 200

/** Whether a form or query string has more than `pairsMax` fields. Counts them before parsing. */
export function hasTooManyPairs(text: string, pairsMax = formPairsMax): boolean {
  let pairs = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++pairs > pairsMax) return true
  return false
}
