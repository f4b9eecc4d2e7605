const tokenForm = /^[0-9a-f]{64}$/
const maskedForm = /^[0-9a-f]{128}$/

/**
 * Returns the token of a form, masked with a random value for this answer: the mask, followed by the masked
 * token. No two pages contain the same text, so the length of compressed pages reveals nothing about it.
 */
export function maskToken(token: string): string {
  if (!tokenForm.test(token)) throw new Error('The token of a form has 64 digits')
  const mask = crypto.getRandomValues(new Uint8Array(token.length / 2))
  return `${mask.toHex()}${under(mask, Uint8Array.fromHex(token)).toHex()}`
}

/** Returns the token without its mask. Any other text is returned unchanged. */
export function unmaskToken(sent: string): string {
  if (!maskedForm.test(sent)) return sent
  const bytes = Uint8Array.fromHex(sent)
  const half = bytes.length / 2
  return under(bytes.subarray(0, half), bytes.subarray(half)).toHex()
}

const under = (mask: Uint8Array, token: Uint8Array) => token.map((byte, place) => byte ^ (mask[place] ?? 0))
