import pino from 'pino'
import type { Log } from '../contracts/plugin'
import { withoutSecrets } from '../contracts/secret-text'
import { minuteMs } from '../contracts/time'

export type LogLevel = keyof Log

/** Names that each line has. JSON with a name twice means something else to each reader. */
const ownNames = new Set(['level', 'time', 'message'])

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
 * token or unrequested third-party text. A field with the name of another part of the line gets `_` after its name.
 */
export function createLog(level: LogLevel, write: (line: string) => void, now: () => Date): Log {
  const count = createFlood()
  const lines = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: fieldsOf },
    },
    { write: (line) => write(withoutSecrets(line.trimEnd())) },
  )
  const say = (at: LogLevel) => (message: string, fields?: Record<string, unknown>) => {
    if (!lines.isLevelEnabled(at)) return
    const suppressed = at === 'debug' ? 0 : count(message, now().getTime())
    if (suppressed !== null) lines[at](suppressed > 0 ? { ...fields, suppressed } : { ...fields }, message)
  }
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
}

const fieldsOf = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [ownNames.has(name) ? `${name}_` : name, value]),
  )
