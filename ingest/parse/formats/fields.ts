import { isPublic, parseAddress } from '../address'
import { clientBehind } from './text/client'
import type { JsonRecord } from './text/reading'

/**
 * Every name by which servers, programs and collectors call a fact of a request, without case and punctuation. The first
 * name that a record has counts. Of times, those that the server wrote come before those that a collector may have added.
 */
export const factNames = {
  ts: [
    'msec',
    'timeiso8601',
    'timelocal',
    'requesttimeepoch',
    'requesttime',
    'starttime',
    'starttimestamp',
    'startutc',
    'startlocal',
    'reqtime',
    'timestamp',
    'ts',
    'time',
    'datetime',
    'attimestamp',
    'date',
    'att',
  ],
  ip: [
    'remoteaddr',
    'clientip',
    'clientaddr',
    'clientaddress',
    'remoteip',
    'remoteaddress',
    'remoteipaddress',
    'sourceip',
    'srcip',
    'clienthost',
    'remotehost',
    'remote',
    'client',
    'ip',
    'ipaddress',
    'downstreamremoteaddress',
  ],
  forwarded: [
    'httpxforwardedfor',
    'xforwardedfor',
    'requestxforwardedfor',
    'requestheadersxforwardedfor',
    'forwardedfor',
    'xff',
    'httpxoriginalforwardedfor',
    'xoriginalforwardedfor',
    'httpforwarded',
    'forwarded',
    'httpcfconnectingip',
    'cfconnectingip',
    'httptrueclientip',
    'trueclientip',
    'httpxrealip',
    'xrealip',
  ],
  method: ['requestmethod', 'method', 'httpmethod', 'reqmethod', 'verb'],
  request: ['request', 'requestline', 'rawrequest', 'routekey'],
  /** What was requested, as it was. A `path` may have been rewritten, or be that of a file. */
  asked: ['requesturi', 'originalurl'],
  target: [
    'uri',
    'path',
    'url',
    'requestpath',
    'requesturl',
    'fullpath',
    'urlpath',
    'uripath',
    'httppath',
    'resourcepath',
  ],
  host: [
    'host',
    'httphost',
    'requesthost',
    'servername',
    'vhost',
    'virtualhost',
    'authority',
    'domain',
    'domainname',
  ],
  ua: [
    'httpuseragent',
    'useragent',
    'requestuseragent',
    'requestheaderuseragent',
    'requestheadersuseragent',
    'agent',
    'ua',
  ],
  referer: [
    'httpreferer',
    'httpreferrer',
    'referer',
    'referrer',
    'requestreferer',
    'requestreferrer',
    'requestheadersreferer',
  ],
  status: [
    'status',
    'statuscode',
    'response',
    'code',
    'responsecode',
    'responsestatus',
    'httpstatus',
    'httpstatuscode',
    'downstreamstatus',
  ],
  id: ['requestid', 'reqid', 'httpxrequestid', 'xrequestid', 'id'],
  signatureAgent: ['httpsignatureagent', 'signatureagent'],
  signatureInput: ['httpsignatureinput', 'signatureinput'],
  signature: ['httpsignature', 'signature'],
} as const

/** A fact of a request that a record may tell. */
export type Fact = keyof typeof factNames
/** What a record tells of a request, as it is written. */
export type Facts = Partial<Record<Fact, unknown>>

interface Place {
  readonly fact: Fact
  /** The place of the fact in `ranks`. */
  readonly at: number
  readonly rank: number
}

const places = new Map<string, Place>()
for (const [at, [fact, names]] of Object.entries(factNames).entries())
  for (const [rank, name] of names.entries()) places.set(name, { fact: fact as Fact, at, rank })
/** Ranks of what a record told so far. Records are read one at a time, so this memory is reused. */
const ranks = new Uint8Array(Object.keys(factNames).length)
const noRank = 255

/** Names as records write them. Nearly all records of a sender have the same. */
const spellings = new Map<string, Place | null>()
const spellingsMax = 4_096
const nameMax = 64

function placeOf(name: string): Place | null {
  const known = spellings.get(name)
  if (known !== undefined) return known
  const place = name.length > nameMax ? null : (places.get(bare(name)) ?? null)
  if (spellings.size < spellingsMax) spellings.set(name, place)
  return place
}

/** Returns a name without case and punctuation. `@timestamp` keeps its mark, because it is another time. */
const bare = (name: string) =>
  name
    .toLowerCase()
    .replace('@', 'at')
    .replace(/[^a-z0-9]/g, '')

/** Returns the facts of a record of plain fields. An empty value, a `-` and a part that is an object tell nothing. */
export function factsOf(record: JsonRecord): Facts {
  const facts: Facts = {}
  ranks.fill(noRank)
  for (const name in record) {
    const place = placeOf(name)
    if (place === null) continue
    const { fact, at, rank } = place
    const value = record[name]
    if ((ranks[at] as number) <= rank || !tells(fact, value)) continue
    facts[fact] = value
    ranks[at] = rank
  }
  return facts
}

/** A smaller number in a field named after time is a duration. */
const instantMin = 1e8

function tells(fact: Fact, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === '-') return false
  if (typeof value === 'object' && !Array.isArray(value)) return false
  return fact !== 'ts' || !(Number(value) < instantMin)
}

/**
 * Returns the client of a record, and whether it is unknown because several addresses could be its own. A connection
 * from a public address is the client's. Behind one from a private network, the only public address that the record
 * names as forwarded is.
 */
export function clientOf(
  connection: string | undefined,
  forwarded: unknown,
): { readonly ip: string | null; readonly isOneOfMany: boolean } {
  const list = listOf(forwarded)
  const address = connection === undefined ? null : parseAddress(connection)
  if (list === undefined || (address && isPublic(address)))
    return { ip: connection ?? null, isOneOfMany: false }
  const ip = clientBehind(connection, list)
  return { ip, isOneOfMany: ip === null }
}

/** A header may come several times. */
function listOf(forwarded: unknown): string | undefined {
  const text = Array.isArray(forwarded)
    ? forwarded.filter((one) => typeof one === 'string').join(',')
    : forwarded
  if (typeof text !== 'string' || text === '' || text === '-') return undefined
  return text.length <= forwardedMax && /\bfor=/i.test(text) ? namedIn(text) : text
}

const forwardedMax = 1_024

/** Returns the addresses of a header `Forwarded` (RFC 7239), as those of `X-Forwarded-For`. */
const namedIn = (text: string): string =>
  [...text.matchAll(/\bfor="?([^\s",;]{1,64})/gi)].map(([, address = '']) => address).join(',')
