/** What a robots.txt says to one robot about one path. */
export interface RobotsVerdict {
  readonly allowed: boolean
  /** Whether a group names the robot, or the one for all robots decides; `none` where neither is there. */
  readonly group: 'named' | 'all' | 'none'
  /** The rule that decided, as it was written; absent where none matched. */
  readonly rule?: string
}

/** The rules of a robots.txt for any robot and path. */
export interface Robots {
  verdict(robot: string, path: string): RobotsVerdict
}

interface Rule {
  readonly allow: boolean
  readonly written: string
  /** In both readings of a query's reserved characters. */
  readonly patterns: readonly [string, string]
}

/** The most bytes of a file that are read, the minimum of RFC 9309. */
export const robotsBytesMax = 512_000

/**
 * Parses a robots.txt by RFC 9309 and ignores other lines. Our own parser, because the most used library lets a
 * Sitemap line end a group, compares escapes literally, and does not say which group decided.
 */
export function parseRobots(file: Uint8Array | string): Robots {
  const text = typeof file === 'string' ? file : new TextDecoder().decode(file.subarray(0, robotsBytesMax))
  const groups = groupsOf(text)
  const tried = new Map<string, (rule: Rule) => boolean>()
  const triedOn = (path: string) => {
    const known = tried.get(path) ?? matcherOf(path)
    tried.set(path, known)
    return known
  }
  return {
    verdict(robot, path) {
      const named = groups.get(robot.toLowerCase())
      const rules = named ?? groups.get('*')
      const group = named ? 'named' : rules ? 'all' : 'none'
      if (path === '/robots.txt') return { allowed: true, group }
      const rule = decisive(rules?.flat() ?? [], triedOn(path))
      if (!rule) return { allowed: true, group }
      return { allowed: rule.allow, group, rule: `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.written}` }
    },
  }
}

/**
 * Rules by product token in lower case; groups of the same token are one. Tokens that are named together share one list, since
 * a file may name ten thousand of them above ten thousand rules.
 */
function groupsOf(text: string): Map<string, Rule[][]> {
  const groups = new Map<string, Rule[][]>()
  let rules: Rule[] = []
  let isNaming = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [said = ''] = line.split('#', 1)
    const colon = said.indexOf(':')
    const key = said.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const value = said.slice(colon + 1).trim()
    if (key === 'user-agent') {
      if (!isNaming) rules = []
      isNaming = true
      const token = /^[^\s/]+/.exec(value)?.[0].toLowerCase()
      if (token === undefined) continue
      const lists = groups.get(token) ?? []
      if (lists.at(-1) !== rules) lists.push(rules)
      groups.set(token, lists)
    } else if (key === 'allow' || key === 'disallow') {
      isNaming = false
      if (value === '') continue
      rules.push({ allow: key === 'allow', written: value, patterns: readings(value) })
    }
  }
  return groups
}

/** The longest rule that matches; of two as long, the one that allows. */
function decisive(rules: readonly Rule[], isMatch: (rule: Rule) => boolean): Rule | null {
  let best: Rule | null = null
  for (const rule of rules) {
    const length = rule.patterns[0].length
    const bestLength = best?.patterns[0].length ?? -1
    if (length < bestLength || (length === bestLength && (best?.allow || !rule.allow))) continue
    if (isMatch(rule)) best = rule
  }
  return best
}

/** Tries each rule once, however many robots it is for. */
function matcherOf(path: string): (rule: Rule) => boolean {
  const asked = readings(path)
  const known = new Map<Rule, boolean>()
  return (rule) => {
    const found =
      known.get(rule) ?? rule.patterns.some((pattern, reading) => matches(pattern, asked[reading] ?? ''))
    known.set(rule, found)
    return found
  }
}

/** Whether a path begins as a pattern says; `*` is any run of characters, `$` at the end is the end. */
function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...rest] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  const last = isWhole ? rest.pop() : undefined
  let at = first.length
  for (const piece of rest) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  if (!isWhole) return true
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}

const encoder = new TextEncoder()
const unreserved = /^[\w.~-]$/

/** Each byte of a run as an escape: a file may hold half a million of them. */
const escapedText = (text: string) => encoder.encode(text).toHex().toUpperCase().replace(/../g, '%$&')

/** Returns a path or pattern in its normal form, and the same with the reserved characters of its query escaped. */
function readings(text: string): [string, string] {
  const plain = text.toWellFormed().replace(/%[0-9a-f]{2}|[^!-~]+/giu, (part) => {
    if (!part.startsWith('%')) return escapedText(part)
    const sign = String.fromCharCode(Number.parseInt(part.slice(1), 16))
    return unreserved.test(sign) ? sign : part.toUpperCase()
  })
  const query = plain.indexOf('?')
  if (query < 0) return [plain, plain]
  const reserved = (sign: string) => escaped(sign.charCodeAt(0))
  return [plain, plain.slice(0, query + 1) + plain.slice(query + 1).replace(/[:/?#[\]@]/g, reserved)]
}

const escaped = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
