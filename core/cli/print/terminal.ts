import { writeSync } from 'node:fs'
import { isatty } from 'node:tty'

/** The output of a command, and whether it is a terminal. */
export interface Terminal {
  out(text: string): void
  err(text: string): void
  /** Whether standard output is a terminal, so that secrets may be shown. */
  readonly outIsTerminal: boolean
  readonly errIsTerminal: boolean
  readonly columns: number
  /** After this time without a word, a command says that it goes on. Without it, it never does. */
  readonly noticeAfterMs?: number
  /** Hears what a command does, for a person who waits. */
  doing?(text: string): void
}

/** A person starts to doubt after a second. */
const noticeAfterMs = 500

/** Exit codes of every command, documented in docs/operators/operating.md. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, unreachable: 3, interrupted: 130 } as const

/** The streams of this process. */
export function systemTerminal(): Terminal {
  return {
    out: writeAnswer,
    err: (text) => void process.stderr.write(text),
    outIsTerminal: isatty(1),
    errIsTerminal: process.stderr.isTTY === true,
    columns: isatty(1) ? process.stdout.columns : Number.POSITIVE_INFINITY,
    noticeAfterMs,
  }
}

/** Writes synchronously, because an exit would cut off text that a pipe has not accepted yet. */
function writeAnswer(text: string): void {
  let left = Buffer.from(text)
  while (left.byteLength > 0) {
    try {
      left = left.subarray(writeSync(1, left))
    } catch (error) {
      const code = (error as { code?: string }).code
      // The reader has closed the pipe, as in `| head`.
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') throw error
      Bun.sleepSync(1)
    }
  }
}

/**
 * Removes terminal control characters and direction marks from a text, because untrusted text is printed too. Keeps
 * line breaks and tabs.
 */
export const harmless = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : '\ufffd'))

type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'
const codes: Record<Style, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  yellow: [33, 39],
  red: [31, 39],
  cyan: [36, 39],
}

/** Colours text on a terminal that supports colours. */
export const painter = (colours: boolean) => (style: Style, text: string) =>
  colours ? `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m` : text
