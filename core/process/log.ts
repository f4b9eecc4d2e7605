import type { Log } from '../contracts/plugin'
import { withoutSecrets } from '../contracts/secret-text'
import { minuteMs } from '../contracts/time'

const levels = { debug: 10, info: 20, warn: 30, error: 40 } as const
export type LogLevel = keyof typeof levels

const linesPerMinute = 100
const messagesMax = 1_000

/**
 * Limits how often one message is written, so that strangers cannot fill the disk. Returns the number of
 * omitted lines since the last one, or null if this line is omitted too. Messages are constant, only their
 * fields vary.
 */
function createFlood() {
  const known = new Map<string, { endsAt: number; lines: number; suppressed: number }>()
  return (message: string, at: number): number | null => {
    const before = known.get(message)
    if (before && before.endsAt > at && before.lines >= linesPerMinute) {
      before.suppressed++
      return null
    }
    if (before && before.endsAt > at) {
      before.lines++
      return 0
    }
    if (!before && known.size >= messagesMax) known.clear()
    known.set(message, { endsAt: at + minuteMs, lines: 1, suppressed: 0 })
    return before?.suppressed ?? 0
  }
}

/**
 * A log with one JSON object per line, at most 100 lines a minute of one message. Never give it an IP address, a
 * token or unrequested third-party text.
 */
export function createLog(level: LogLevel, write: (line: string) => void, now: () => Date): Log {
  const count = createFlood()
  const say =
    (at: LogLevel) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (levels[at] < levels[level]) return
      const time = now()
      const suppressed = at === 'debug' ? 0 : count(message, time.getTime())
      if (suppressed === null) return
      const more = suppressed > 0 ? { ...fields, suppressed } : fields
      write(withoutSecrets(JSON.stringify({ time: time.toISOString(), level: at, message, ...more })))
    }
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
}
