/** The decision of a robots.txt for one robot and one path. */
export interface RobotsVerdict {
  readonly allowed: boolean
  /**
   * The group that decided: one that names the robot, or the one for all robots. `none` if the file has
   * neither.
   */
  readonly group: 'named' | 'all' | 'none'
  /** The rule that decided, as written. Absent if no rule matched. */
  readonly rule?: string
}

/** How much of a site a robots.txt closes to a robot: everything, some paths, or nothing. */
export interface RobotsReach extends Pick<RobotsVerdict, 'group'> {
  readonly closed: 'all' | 'some' | 'none'
}

/** Decides for any robot and path by the rules of one robots.txt. */
export interface Robots {
  verdict(robot: string, path: string): RobotsVerdict
  /** Returns how much is closed to a robot. A rule that no path matches counts too. */
  reach(robot: string): RobotsReach
  /** The robots that have a group of their own, as product tokens in lower case. */
  readonly named: readonly string[]
}

interface Rule {
  readonly allow: boolean
  readonly written: string
  /** Length of the pattern in its normal form. */
  readonly length: number
  /** The pattern in both readings of a query's reserved characters. */
  readonly patterns: readonly Pattern[]
}

/** The texts between the `*` of a pattern, split once. A file may have one rule of half a million. */
interface Pattern {
  readonly first: string
  readonly middle: readonly string[]
  /** The end of the path after a `*`, if the pattern has a `$`. */
  readonly last: string | undefined
  readonly isWhole: boolean
}

/** The maximum number of bytes that are read of a file, the minimum of RFC 9309. */
export const robotsBytesMax = 512_000

/**
 * Parses a robots.txt by RFC 9309 and ignores other lines. The most used library, robots-parser, is wrong here: a Sitemap
 * line ends a group, escapes are compared literally, and it does not say which group decided. A file of 113 kB costs it
 * 2.8 GB.
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
  const groupOf = (robot: string) => {
    const named = groups.get(robot.toLowerCase())
    const rules = named ?? groups.get('*')
    return { rules, group: named ? 'named' : rules ? 'all' : 'none' } as const
  }
  return {
    named: [...groups.keys()].filter((token) => token !== '*'),
    reach(robot) {
      const { rules, group } = groupOf(robot)
      const all = rules?.flat() ?? []
      if (!all.some(({ allow }) => !allow)) return { group, closed: 'none' }
      const isOpen = decisive(all, triedOn('/'))?.allow ?? true
      return { group, closed: isOpen || all.some(({ allow }) => allow) ? 'some' : 'all' }
    },
    verdict(robot, path) {
      const { rules, group } = groupOf(robot)
      if (path === '/robots.txt') return { allowed: true, group }
      const rule = decisive(rules?.flat() ?? [], triedOn(path))
      if (!rule) return { allowed: true, group }
      return { allowed: rule.allow, group, rule: `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.written}` }
    },
  }
}

/**
 * Returns rules by product token in lower case. Groups with the same token are joined. Tokens that are named
 * together share one list, because a file may name ten thousand of them above ten thousand rules.
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
      rules.push({ allow: key === 'allow', written: value, ...compiled(value) })
    }
  }
  return groups
}

/** Returns the longest matching rule. If two are equally long, the one that allows. */
function decisive(rules: readonly Rule[], isMatch: (rule: Rule) => boolean): Rule | null {
  let best: Rule | null = null
  for (const rule of rules) {
    const { length } = rule
    const bestLength = best?.length ?? -1
    if (length < bestLength || (length === bestLength && (best?.allow || !rule.allow))) continue
    if (isMatch(rule)) best = rule
  }
  return best
}

/** Returns a function that tests each rule only once, for all robots together. */
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

function compiled(written: string): Pick<Rule, 'length' | 'patterns'> {
  const [plain, escaped] = readings(written)
  const pattern = patternOf(plain)
  return { length: plain.length, patterns: [pattern, plain === escaped ? pattern : patternOf(escaped)] }
}

/** Splits a pattern: `*` is any run of characters, `$` at the end is the end. Several `*` in a row are one. */
function patternOf(text: string): Pattern {
  const isWhole = text.endsWith('$')
  const pieces = (isWhole ? text.slice(0, -1) : text).split('*')
  const first = pieces[0] ?? ''
  const last = isWhole && pieces.length > 1 ? pieces.at(-1) : undefined
  const end = last === undefined ? pieces.length : -1
  return { first, last, isWhole, middle: pieces.slice(1, end).filter((piece) => piece !== '') }
}

/** Whether a path matches a pattern. Each step takes at least one character of the path. */
function matches({ first, middle, last, isWhole }: Pattern, path: string): boolean {
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const piece of middle) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  if (!isWhole) return true
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}

const encoder = new TextEncoder()
const unreserved = /^[\w.~-]$/

/** Escapes each byte of a run at once, because a file may contain half a million of them. */
const escapedText = (text: string) => encoder.encode(text).toHex().toUpperCase().replace(/../g, '%$&')

/**
 * Returns a path or pattern in its normal form, and the same with the reserved characters of its query
 * escaped.
 */
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
