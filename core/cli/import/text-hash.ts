/** A hash of text that arrives in pieces. It does not depend on the pieces. */
export interface TextHash {
  update(bytes: Uint8Array): TextHash
  /** Returns the hash so far, as 32 hexadecimal digits. More text may follow. */
  digest(): string
}

const blockBytes = 64 * 1024

/**
 * Starts a hash that recognizes a log. It need not resist attacks, so it is XXH64 in two lanes: SHA-256 takes as long
 * as decompression.
 */
export function createTextHash(): TextHash {
  const block = new Uint8Array(blockBytes)
  let held = 0
  let length = 0
  let lanes: Lanes = [1n, 2n]

  function hold(bytes: Uint8Array): number {
    const part = bytes.subarray(0, blockBytes - held)
    block.set(part, held)
    held += part.length
    if (held === blockBytes) {
      lanes = hashed(block, lanes)
      held = 0
    }
    return part.length
  }

  const hash: TextHash = {
    update(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const rest = bytes.subarray(at)
        if (held === 0 && rest.length >= blockBytes) {
          lanes = hashed(rest.subarray(0, blockBytes), lanes)
          at += blockBytes
        } else at += hold(rest)
      }
      length += bytes.length
      return hash
    },
    digest() {
      const [a, b] = lanes
      const ends = hashed(block.subarray(0, held), [a ^ BigInt(length), b ^ BigInt(length)])
      return ends.map((lane) => lane.toString(16).padStart(16, '0')).join('')
    },
  }
  return hash
}

type Lanes = readonly [bigint, bigint]

const hashed = (bytes: Uint8Array, [a, b]: Lanes): Lanes => [
  Bun.hash.xxHash64(bytes, a),
  Bun.hash.xxHash64(bytes, b),
]
