/** What the command line asks for. */
export interface CommandLine {
  readonly url: string
  readonly key: string
  readonly otherKey: string | null
  readonly readKey: string | null
  readonly allowsWrites: boolean
  readonly isJson: boolean
  readonly timeoutMs: number
  readonly totalMs: number
  /** Most requests per minute. Null: as many as the installation allows. */
  readonly perMinute: number | null
  readonly only: readonly string[]
  /** Whether a key was an argument, which other users of the machine can see. */
  readonly isKeyVisible: boolean
}

export const usage = `Usage: renown-conformance <url> [key] [options]

Proves for a running installation of Renown that the ceiling, the clamp and the marks hold. Reads only.

  <url>               address of the gateway, such as https://renown.example.com
  [key]               agent key. Better: RENOWN_KEY, or - to read it from standard input
  --other-key <key>   key of another agency on the same installation. Better: RENOWN_OTHER_KEY
  --writes            also saves one draft reply and takes it back
  --only <words>      only checks with one of these words, separated by commas
  --timeout <seconds> longest wait for one answer. Default 20
  --seconds <seconds> longest time of the whole run. Default 600
  --rate <number>     at most so many requests per minute, so that agents with the same key go on
  --json              print one JSON object
  --help              print this text

RENOWN_READ_TOKEN: an access token without write, to prove what it may not see.
Exit codes: 0 everything that was tested holds, 1 a promise is broken, 2 it could not be tested.`

/** Reads the command line. Returns what is wrong with it as text. */
export function readCommandLine(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  standardInput: () => string,
): CommandLine | string {
  const given: string[] = []
  const values = new Map<string, string>()
  const flags = new Set<string>()
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (['--writes', '--json', '--help'].includes(word)) flags.add(word)
    else if (['--other-key', '--only', '--timeout', '--seconds', '--rate'].includes(word)) {
      const value = words[++at]
      if (value === undefined) return `${word} needs a value.`
      values.set(word, value)
    } else if (word.startsWith('--')) return `There is no option ${word.slice(0, 40)}.`
    else given.push(word)
  }
  if (flags.has('--help') || given.length === 0) return usage
  const [address = '', argument, ...more] = given
  if (more.length > 0) return 'Give one address and one key.'
  const url = originOf(address)
  if (url === null) return `${address.slice(0, 100)} is not an address such as https://renown.example.com.`
  const key = (argument === '-' ? standardInput() : (argument ?? env.RENOWN_KEY ?? '')).trim()
  if (!/^[\x21-\x7e]{8,400}$/.test(key))
    return 'Give the key as RENOWN_KEY, as - with standard input, or as an argument.'
  const timeout = wholeNumber(values.get('--timeout'), 20)
  const total = wholeNumber(values.get('--seconds'), 600)
  if (timeout === null || total === null) return '--timeout and --seconds take a whole number from 1 to 3600.'
  const rate = wholeNumber(values.get('--rate'), 0)
  if (rate === null) return '--rate takes a whole number from 1 to 3600.'
  return {
    url,
    key,
    perMinute: rate || null,
    timeoutMs: timeout * 1_000,
    totalMs: total * 1_000,
    otherKey: values.get('--other-key') ?? (env.RENOWN_OTHER_KEY || null),
    readKey: env.RENOWN_READ_TOKEN || null,
    allowsWrites: flags.has('--writes'),
    isJson: flags.has('--json'),
    only: (values.get('--only') ?? '').split(',').filter(Boolean),
    isKeyVisible: (argument !== undefined && argument !== '-') || values.has('--other-key'),
  }
}

/** Returns the origin of an address. Accepts the address of MCP too. Null if it is not http or https. */
function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null
  const { protocol, origin, username } = new URL(address)
  return /^https?:$/.test(protocol) && username === '' ? origin : null
}

function wholeNumber(text: string | undefined, usual: number): number | null {
  if (text === undefined) return usual
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 3_600 ? Number(text) : null
}
