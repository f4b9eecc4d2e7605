import { type Hit, parseJson } from 'renown/contracts'
import { hash53, hash53After } from '../parse/hash'

/** What tells a hit from others, as hashes of 53 bits. */
export interface HitKey {
  /** Recognizes this hit when it is sent again. */
  readonly id: number
  /** The sender's id alone. Two hits with the same one are the same only if their `id` is. */
  readonly sender_id: number
}

/** Returns the key of a hit with this id, or without one. */
export type KeyOf = (hit: Hit, id: string | undefined) => HitKey

/**
 * Returns a function for the keys of a batch. No single field of a sender can be trusted to differ by request: tenants, counters that begin
 * again and headers of visitors arrive as ids. So the key is the id with the time of the request and what was requested.
 * A time of arrival or of an envelope may differ when the line is sent again. Then the line itself takes its place, if
 * there is an id.
 *
 * Keys are stored. So of addresses, queries and whole lines they have only some bits, from which nobody can guess them.
 */
export function keysOfBatch(seed: number): KeyOf {
  // Many lines in a row have the same user agent and host, and often the same address.
  const hashOfAgent = remembered()
  const hashOfAddress = remembered()
  const hashOfHost = remembered()
  return (hit, id) => {
    const { ts, target, status = 0, method, ip, host = '', ua } = hit
    const sender_id = hash53(id ?? '', seed)
    const query = target.indexOf('?')
    const path = query === -1 ? target : target.slice(0, query)
    if (id !== undefined && !hasOwnTime(hit)) {
      const line = hash53(textOf(hit), seed) % lineParts
      return { id: hash53After(sender_id, line, 0, path), sender_id }
    }
    const hidden = (hashOfAddress(ip ?? '') ^ (query === -1 ? 0 : hash53(target, 0))) & hiddenBits
    const few = (hidden << 15) | (status << 5) | (method.length & 31)
    const by = hashOfAgent(ua) ^ Math.imul(hashOfHost(host), 0x9e3779b1)
    const key = hash53After(sender_id, ts, few ^ by, path)
    return { id: id === undefined ? hash53After(key, 0, 0, textOf(hit)) : key, sender_id }
  }
}

const hiddenBits = 2 ** 12 - 1
const lineParts = 2 ** 24

/** Returns a function that hashes a text, and remembers the last one. */
function remembered() {
  let last = ''
  let hash = 1
  return (text: string): number => {
    if (text !== last) {
      last = text
      hash = hash53(text, 0)
    }
    return hash
  }
}

/** Whether the time of a hit is the request's own, the same in every delivery. */
export const hasOwnTime = ({ undated, enveloped }: Hit): boolean => !undated && !enveloped

/** Returns the line of a hit. A record is written again, so that spaces between its fields do not matter. */
const textOf = ({ written }: Hit): string =>
  typeof written === 'string' ? withoutSpaces(written) : written === undefined ? '' : JSON.stringify(written)

function withoutSpaces(line: string): string {
  try {
    return line.startsWith('{') ? JSON.stringify(parseJson(line)) : line.trim()
  } catch {
    return line.trim()
  }
}
