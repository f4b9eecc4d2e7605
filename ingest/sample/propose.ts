import type { LogMapping, MappedFact } from 'renown/contracts'
import { parseAddress } from '../parse/address'
import { instantOf } from '../parse/formats/text/time'
import { isOfSite } from '../sites/site-host'

/** How a fact is found: by the values that it can have, and by names that people give it. */
interface Clue {
  readonly fact: MappedFact
  /** Whether a value can be this fact. */
  readonly fits: (value: string, domain: string) => boolean
  /** Names, best first. The last name of the path is compared, then the whole path. */
  readonly names: readonly RegExp[]
  /** Names of other things with such values. */
  readonly not?: RegExp
  /** Whether the values alone are enough. Otherwise one of the names must match. */
  readonly byValue?: true
}

const methods = /^(?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|CONNECT|TRACE)$/i
const hostName = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?::\d{1,5})?$/i

const isUrl = (value: string) => /^https?:\/\//i.test(value)

// The clearest facts first, because each field is used once.
const clues: readonly Clue[] = [
  {
    fact: 'user_agent',
    fits: (value) => /^[\w .;:()+-]{0,64}[A-Za-z-]\/\d/.test(value) && !value.startsWith('HTTP/'),
    names: [/user.?agent/i, /^ua$/i, /agent/i],
    byValue: true,
  },
  {
    fact: 'path',
    fits: (value) => /^\/[^\s]*$/.test(value) || isUrl(value) || /^[A-Z]{3,8} \/\S* HTTP\//.test(value),
    names: [
      /^(?:request.?)?(?:uri|path|url|target)$/i,
      /request.?(?:line|uri|url|path)|^request$|^full.?url$|original.?url/i,
      /uri|path|url|page|endpoint|resource/i,
    ],
    not: /refer|agent|file|route|pattern|template|upstream|redirect|root|script|logger|(?:^|[^e])source|name$/i,
    byValue: true,
  },
  {
    fact: 'time',
    fits: (value) => instantOf(value) !== null,
    names: [
      /^(?:@?timestamp|time|ts|datetime|date.?time|time.?(?:local|iso8601|stamp)|requested.?at|request.?time)$/i,
      /time|date|stamp|_at$|^at$|^when$|^t$/i,
    ],
    not: /duration|latency|elapsed|took|upstream|expires|modified|ingest/i,
    byValue: true,
  },
  {
    fact: 'address',
    fits: (value) => parseAddress(value) !== null,
    names: [
      /client.?(?:ip|addr|address)|^(?:remote|visitor|user|source|src).?(?:ip|addr|address)$|^ip(?:.?addr(?:ess)?)?$|real.?ip/i,
      /client|remote|peer|ip|addr/i,
    ],
    not: /server|upstream|local|dest|dst|backend|host|proxy|edge|origin|pod|node|listen/i,
    byValue: true,
  },
  {
    fact: 'method',
    fits: (value) => methods.test(value),
    names: [/method|verb/i],
    byValue: true,
  },
  {
    fact: 'status',
    fits: (value) => /^[1-5]\d\d$/.test(value),
    names: [/^(?:http.?)?(?:response.?)?status(?:.?code)?$/i, /status|response|^code$|http.?code/i],
    not: /upstream|backend|origin|size|bytes|time|duration/i,
  },
  {
    fact: 'referrer',
    fits: isUrl,
    names: [/refer/i],
  },
  {
    fact: 'host',
    fits: (value, domain) => hostName.test(value) && parseAddress(value) === null && isOfSite(value, domain),
    names: [
      /^(?:http.?)?(?:request.?)?(?:host|domain|authority|vhost|server.?name|site)$/i,
      /host|domain|authority|vhost/i,
    ],
    not: /upstream|backend|pod|node|machine|refer|email|user/i,
  },
  {
    fact: 'id',
    fits: (value) => /^[\w.:=+/@-]{8,128}$/.test(value),
    names: [
      /request.?id|req.?id|correlation.?id|^x.?request.?id$/i,
      /^(?:_?id|uuid|ray.?id|event.?id|trace.?id)$/i,
    ],
    not: /user|session|client|account|tenant|pod|span|instance/i,
  },
]

/** Proposes a mapping for the fields of a sample. Null if nothing can be a path or a user agent. */
export function proposeMapping(
  fields: ReadonlyMap<string, readonly string[]>,
  records: number,
  domain: string,
): LogMapping | null {
  const found: Partial<Record<MappedFact, string>> = {}
  const used = new Set<string>()
  for (const clue of clues) {
    const best = bestOf(clue, fields, records, domain, used)
    if (best === null) continue
    found[clue.fact] = best
    used.add(best)
  }
  const { path, user_agent, ...more } = found
  return path === undefined || user_agent === undefined ? null : { path, user_agent, ...more }
}

function bestOf(
  clue: Clue,
  fields: ReadonlyMap<string, readonly string[]>,
  records: number,
  domain: string,
  used: ReadonlySet<string>,
): string | null {
  let best: { readonly path: string; readonly score: number } | null = null
  for (const [path, values] of fields) {
    if (used.has(path)) continue
    const score = scoreOf(clue, path, values, records, domain)
    if (score > (best?.score ?? 0)) best = { path, score }
  }
  return best?.path ?? null
}

/** The share of values that fit counts most, then the name, then how many records have the field. */
function scoreOf(
  { fits, names, not, byValue, fact }: Clue,
  path: string,
  values: readonly string[],
  records: number,
  domain: string,
): number {
  const given = values.filter((value) => value !== '' && value !== '-')
  const fitting = given.filter((value) => fits(value, domain)).length
  if (fitting < Math.max(1, given.length / 2)) return 0
  if (fact === 'id' && new Set(given).size < given.length) return 0
  const last = path.slice(path.lastIndexOf('.') + 1)
  if (not?.test(last)) return 0
  const rank = names.findIndex((name) => name.test(last))
  const whole = rank === -1 ? names.findIndex((name) => name.test(path)) : rank
  if (whole === -1 && !byValue) return 0
  const named = whole === -1 ? 0 : 40 - 10 * whole - (rank === -1 ? 5 : 0)
  return named + (20 * fitting) / given.length + (10 * values.length) / records - path.length / 1_000
}
