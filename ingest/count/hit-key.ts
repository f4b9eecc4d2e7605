import type { Hit } from 'renown/contracts'
import { hash53, hash53After } from '../parse/hash'

/** What tells a hit from others, as hashes of 53 bits. */
export interface HitKey {
  /** Recognizes this hit when it is sent again. */
  readonly id: number
  /** The sender's id alone. Two hits with the same one are the same only if their `id` is. */
  readonly sender_id: number
}

/**
 * Returns the key of a hit. No single field of a sender can be trusted to differ by request: tenants, counters that begin
 * again and headers of visitors arrive as ids. So the key is the id with the time of the request and what was requested.
 * A time of arrival or of an envelope may differ when the line is sent again. Then the line itself takes its place, if
 * there is an id.
 *
 * Keys are stored. So of addresses, queries and whole lines they have only some bits, from which nobody can guess them.
 */
export function hitKey(hit: Hit, id: string | undefined, seed: number): HitKey {
  const { ts, target, status = 0, method, ip, host = '', ua } = hit
  const sender_id = hash53(id ?? '', seed)
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  if (id !== undefined && !hasOwnTime(hit)) {
    const line = hash53(textOf(hit), seed) % lineParts
    return { id: hash53After(sender_id, line, path), sender_id }
  }
  const hidden = hash53After(hash53(ip ?? '', seed), 0, target) % hiddenParts
  const asked = hash53After(sender_id, ts, path)
  const answered = hash53After(asked, (hidden * 1_000 + status) * 32 + method.length, host)
  const key = hash53After(answered, 0, ua)
  return { id: id === undefined ? hash53After(key, 0, textOf(hit)) : key, sender_id }
}

const hiddenParts = 2 ** 12
const lineParts = 2 ** 24

/** Whether the time of a hit is the request's own, the same in every delivery. */
export const hasOwnTime = ({ undated, enveloped }: Hit): boolean => !undated && !enveloped

/** Returns the line of a hit. A record is written anew, so that spaces between its fields do not matter. */
const textOf = ({ written }: Hit): string =>
  typeof written === 'string' ? withoutSpaces(written) : written === undefined ? '' : JSON.stringify(written)

function withoutSpaces(line: string): string {
  try {
    return line.startsWith('{') ? JSON.stringify(JSON.parse(line)) : line.trim()
  } catch {
    return line.trim()
  }
}
