import type { Log } from './contracts/plugin'
import { withoutSecrets } from './contracts/secret-text'

const levels = { debug: 10, info: 20, warn: 30, error: 40 } as const
export type LogLevel = keyof typeof levels

/** One JSON object a line. Never given an address, a token or third-party text that was not asked for. */
export function createLog(level: LogLevel, write: (line: string) => void, now: () => Date): Log {
  const say =
    (at: LogLevel) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (levels[at] < levels[level]) return
      write(withoutSecrets(JSON.stringify({ time: now().toISOString(), level: at, message, ...fields })))
    }
  return { debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') }
}
