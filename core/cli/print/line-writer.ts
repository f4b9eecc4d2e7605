import { harmless, painter, type Terminal } from './terminal'

/** Writes log lines to standard error: JSON for machines, a readable form on a terminal. */
export function lineWriter(terminal: Pick<Terminal, 'err' | 'errIsTerminal'>): (line: string) => void {
  if (!terminal.errIsTerminal) return (line) => terminal.err(`${line}\n`)
  const paint = painter(true)
  const colours = { warn: 'yellow', error: 'red' } as const
  return (line) => {
    const { time, level, message, ...fields } = JSON.parse(line) as Record<string, string>
    const tail = Object.entries(fields).map(
      ([key, value]) => `${key}=${harmless(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    const text = level === 'warn' || level === 'error' ? paint(colours[level], message ?? '') : message
    terminal.err(`${paint('dim', time?.slice(11, 19) ?? '')} ${text} ${paint('dim', tail.join(' '))}\n`)
  }
}
