import { dayMs, hourMs, minuteMs } from 'renown'

/** Waits after each failed attempt, about three days together. */
const waitsMs = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const

/** How many requests a message gets before it is given up. */
export const attemptsMax = waitsMs.length + 1

/** How long a webhook may fail before Renown disables it. */
export const failingMs = 5 * dayMs

/** Statuses that ask the sender to slow down. */
const busyStatuses: ReadonlySet<number> = new Set([429, 502, 504])
const busyMs = minuteMs
const breakMsMax = dayMs

/**
 * Returns the wait after this many failed attempts, with up to a tenth more or less, so that many messages do not
 * return at once. Null if the message is given up.
 */
export function retryMs(attempts: number, random: number, askedMs = 0): number | null {
  const waitMs = waitsMs[attempts - 1]
  if (waitMs === undefined) return null
  return Math.max(Math.round(waitMs * (0.9 + random * 0.2)), Math.min(askedMs, breakMsMax))
}

/** Returns how long nothing is sent to a receiver that answered with this status. 0 if it did not ask for a break. */
export const breakMs = (status: number, askedMs = 0): number =>
  busyStatuses.has(status) || askedMs > 0 ? Math.max(busyMs, Math.min(askedMs, breakMsMax)) : 0

/** Returns the wait that `Retry-After` asks for, in seconds or as a date. Undefined if it asks for none. */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  if (header === null || header.length > 40) return undefined
  const text = header.trim()
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime()
  return waitMs > 0 ? waitMs : undefined
}
