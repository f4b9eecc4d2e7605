import { existsSync, readFileSync } from 'node:fs'

/** What reads text from outside. */
export interface Reader {
  readonly name: string
  /** Reads it whole. What it throws counts as an answer. */
  readonly read: (text: string) => unknown
  /** The longest text that reaches it, in characters. */
  readonly max: number
  /** What a text may begin with for more of the reader's code to see it. */
  readonly heads?: readonly string[]
}

/** A reader whose work grows faster than its text. */
export interface Grown {
  readonly reader: string
  readonly text: string
  readonly ms: number
  /** How often the work of half the text that of twice the text is. */
  readonly times: number
}

/** Pieces that formats are made of: a text that repeats one is the worst for whatever looks for it. */
const pieces = [
  'a',
  ' ',
  '\t',
  '\n',
  ',',
  ';',
  ':',
  '/',
  '//',
  '.',
  '..',
  '/../',
  '&',
  '=',
  '?',
  '#',
  '|',
  '-',
  '+',
  '*',
  '@',
  '$',
  '"',
  "'",
  '`',
  '\\',
  '\\"',
  '\\x41',
  '\\u0041',
  '%41',
  '%25',
  '#41',
  '0',
  '1 ',
  'a ',
  'a:',
  ': ',
  '= ',
  'a=b; ',
  'a=b&',
  '[',
  ']',
  '{',
  '}',
  '{}',
  '[]',
  '} {',
  '} "',
  '{"a":',
  '{},',
  '""',
  '"a",',
  '<',
  '>',
  '<a>',
  '</a>',
  '<a b=',
  '<!--',
  '&amp;',
  '<1>',
  ' [',
  '] "',
  '" "',
  'A',
  'é',
  '𝄞',
  '\ufeff',
  '\u2028',
  '\u0301',
  'http://',
  'www.',
  'GPTBot',
  'rnw_a',
  'user-agent: a\n',
]
const tails = ['!', '"']

/** Less processor time than this is no fault however it came about, in milliseconds. */
const harmlessMs = 25
/** Twice that of a reader whose work is in step with its text, and half that of one that takes its square. */
const timesMax = 8
/** A busy machine is not as busy each time. */
const looks = 3

/** The texts, built of each piece, on which a reader's work grows faster than the text. */
export async function grownFaster({ name, read, max, heads = [''] }: Reader): Promise<Grown[]> {
  const found: Grown[] = []
  for (const head of heads) {
    for (const piece of pieces) {
      for (const tail of tails) {
        const text = (size: number) => head + piece.repeat(Math.ceil(size / piece.length)) + tail
        const ms = await leastMs(read, text(max), 1)
        if (ms < harmlessMs) continue
        const times = await timesOf(read, text, max)
        const shown = JSON.stringify(head + piece)
        if (times > timesMax)
          found.push({ reader: name, text: shown, ms: Math.round(ms), times: Math.round(times) })
      }
    }
  }
  return found
}

/** How often the work of half the text that of twice the text is, at the least of some looks. */
async function timesOf(read: Reader['read'], text: (size: number) => string, max: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < looks && least > timesMax; look++) {
    const short = await leastMs(read, text(max / 2), 3)
    const long = await leastMs(read, text(max * 2), 2)
    least = Math.min(least, long / Math.max(short, 0.1))
  }
  return least
}

async function leastMs(read: Reader['read'], text: string, runs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const began = ownMs()
    try {
      await read(text)
    } catch {
      // It has read the text.
    }
    least = Math.min(least, ownMs() - began)
  }
  return least
}

const ownThread = '/proc/thread-self/schedstat'
const isTold = existsSync(ownThread)

/** Processor time that this thread has used, in milliseconds; that of the process where the system does not say. */
function ownMs(): number {
  if (isTold) return Number(readFileSync(ownThread, 'utf8').split(' ')[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
