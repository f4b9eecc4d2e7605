const tokenForm = /^[0-9a-f]{64}$/
const maskedForm = /^[0-9a-f]{128}$/

/**
 * Returns the token of a form under a mask that is drawn for this answer alone: the mask, and then the token under it.
 * A page never repeats the token itself, so that the length of compressed pages tells nothing of it.
 */
export function maskToken(token: string): string {
  if (!tokenForm.test(token)) throw new Error('The token of a form has 64 digits')
  const mask = crypto.getRandomValues(new Uint8Array(token.length / 2))
  return `${mask.toHex()}${under(mask, Uint8Array.fromHex(token)).toHex()}`
}

/** Returns the token of a masked one. Any other text comes back as it is. */
export function unmaskToken(sent: string): string {
  if (!maskedForm.test(sent)) return sent
  const bytes = Uint8Array.fromHex(sent)
  const half = bytes.length / 2
  return under(bytes.subarray(0, half), bytes.subarray(half)).toHex()
}

const under = (mask: Uint8Array, token: Uint8Array) => token.map((byte, place) => byte ^ (mask[place] ?? 0))
