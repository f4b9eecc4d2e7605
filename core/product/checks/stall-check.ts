import type { Finding } from '../../contracts/self-check'
import { type Stalls, stallMs } from '../../contracts/stalls'
import { hourMs } from '../../contracts/time'
import { advice } from './advice'

const recentMs = hourMs

/** Whether an event loop was blocked within the last hour. A blocked process answers nothing. */
export function stallCheck(parts: Readonly<Record<string, Stalls>>, now: Date): Finding {
  const stalled = Object.entries(parts).filter(([, { count }]) => count > 0)
  if (stalled.length === 0) return { status: 'ok', found: `none was blocked for more than ${stallMs} ms` }
  const each = stalled.map(
    ([part, { count, longest_ms, last_at }]) =>
      `the ${part} ${count} times, ${longest_ms} ms at most, last at ${last_at}`,
  )
  const found = `was blocked: ${each.join('; ')}`
  const isRecent = stalled.some(([, { last_at }]) => now.getTime() - Date.parse(last_at ?? '') < recentMs)
  if (!isRecent) return { status: 'ok', found }
  const mend = advice.blockedLoop
  return { status: 'warn', found, mend }
}
