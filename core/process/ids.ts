const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Returns an id: `<prefix>_` + 26 characters of Crockford base32, from 48 bits of milliseconds and 80 random
 * bits.
 */
export function newId(prefix: string, now: Date): string {
  let time = now.getTime()
  let head = ''
  for (let place = 0; place < 10; place++) {
    head = crockford.charAt(time % 32) + head
    time = Math.floor(time / 32)
  }
  let tail = ''
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) tail += crockford.charAt(byte & 31)
  return `${prefix}_${head}${tail}`
}
