import type { ReplyVersion } from 'renown/leads'

/** The letters of base 32 in the order of their values, as the AT Protocol sorts them. */
const letters = '234567abcdefghijklmnopqrstuvwxyz'
const length = 13

/**
 * Returns the key of the record of a post: a TID of the AT Protocol. Its time is that of the post. Its microseconds and
 * its clock id are 20 bits of the digest of the post and its revision. So the same version of a post always has the same
 * key, and a repository has at most one record of it.
 */
export function recordKey({ id, revision, planned_at }: ReplyVersion): string {
  const digest = new Bun.CryptoHasher('sha256').update(`${id} ${revision}`).digest()
  const bits = digest.readUInt32BE(0)
  const micros = BigInt(Date.parse(planned_at)) * 1_000n + BigInt(bits % 1_000)
  let rest = (micros << 10n) | BigInt(digest.readUInt16BE(4) & 1_023)
  let key = ''
  for (let place = 0; place < length; place++) {
    key = letters.charAt(Number(rest & 31n)) + key
    rest >>= 5n
  }
  return key
}
