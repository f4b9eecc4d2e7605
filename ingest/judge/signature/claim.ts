import type { SignatureHeaders } from 'renown/contracts'
import { type InnerList, type Item, Token } from 'structured-headers'
import { formatMember, isList, type Member, parseDictionary, parseItem } from './structured'

/** Why a signature proves nothing. The texts are a closed set and never quote a header. */
export const unverified = {
  malformed: 'the signature headers cannot be read',
  noTag: 'the signature is not one of a crawler (its tag is not web-bot-auth)',
  coverage: 'the signature does not cover the host and its own Signature-Agent',
  parameters: 'the signature lacks created, expires or keyid',
  lifetime: 'the signature is valid for more than 24 hours',
  early: 'the signature was made after the request',
  late: 'the signature had expired at the time of the request',
  algorithm: 'the algorithm of the signature is not one that is accepted',
  testKey: 'the signature is made with a published test key',
  unknownSigner: 'the signer is not in the registry',
  otherSigner: 'the signer does not run the agent that the user agent names',
  unknownKey: "the key is not in the signer's directory yet",
  keyTime: 'the key was not valid at the time of the request',
  notLogged: 'the signature covers parts of the request that the log does not contain',
  unsure: 'the log does not contain the host or address exactly as it was signed',
  tooMany: 'more signatures arrived than can be checked',
} as const
export type Unverified = (typeof unverified)[keyof typeof unverified]

/** A signature as its headers state it. Nothing is checked yet. */
export interface Claim {
  /** The host of the signer. */
  readonly signer: string
  /** Why the signature proves nothing, whatever its key is. */
  readonly problem?: Unverified
  readonly proof?: Proof
}

/** The parts of a well-formed signature. */
export interface Proof {
  /** The signed components and parameters, as the signature's last line has them. */
  readonly input: InnerList
  readonly signature: Buffer
  readonly keyid: string
  readonly alg: string | undefined
  /** Seconds since 1970. */
  readonly created: number
  readonly expires: number
  /** The raw field `Signature-Agent`, and the signer's member of it if it is a dictionary. */
  readonly agentField: string
  readonly agentMembers: ReadonlyMap<string, Member> | null
}

export const lifetimeMaxSeconds = 24 * 3_600
const labelsMax = 4
/** Where a signer publishes its keys. */
export const directoryPath = '/.well-known/http-message-signatures-directory'
/** Thumbprints of the keys of RFC 9421, Appendix B.1. Everybody has their private parts. */
export const testKeys: ReadonlySet<string> = new Set([
  'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
  'oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA',
  'BHj8s0GPnMEQtkaULIM-PLgEhLBbuGUQ1vMxmBWZzEo',
  'ydQXMtvbsOsZyFir-Y7A8t7fKEM1gbKPvyFkdpu4fvI',
])

/**
 * Returns what the signature headers of a request claim, for each signature of a crawler. Null if they name no
 * signer. Several signatures are rare, so only the first few are read.
 */
export function readClaims({ agent, input, signature }: SignatureHeaders): readonly Claim[] | null {
  const agents = readAgents(agent)
  if (!agents) return null
  const [first] = agents.hosts.values()
  if (first === undefined) return null
  const inputs = parseDictionary(input)
  const signatures = parseDictionary(signature)
  if (!inputs || !signatures) return [{ signer: first, problem: unverified.malformed }]
  const tagged = [...inputs].filter(([, member]) => isList(member) && tagOf(member) === 'web-bot-auth')
  if (tagged.length === 0) return [{ signer: first, problem: unverified.noTag }]
  return tagged.slice(0, labelsMax).map(([label, list]) => {
    const made = signatures.get(label)
    return claimOf(list as InnerList, made, agents, first)
  })
}

/** The field `Signature-Agent`: a dictionary of addresses, or one address in the form of earlier drafts. */
interface Agents {
  readonly field: string
  readonly members: ReadonlyMap<string, Member> | null
  /** Hosts by member. The only one of the earlier form is under `''`. */
  readonly hosts: ReadonlyMap<string, string>
}

function readAgents(field: string): Agents | null {
  const isBare = field.trimStart().startsWith('"')
  const item = isBare ? parseItem(field) : null
  const members = isBare ? null : parseDictionary(field)
  const named: [string, Member][] = item ? [['', item]] : [...(members ?? [])]
  const hosts = new Map(
    named.flatMap(([name, member]) => {
      const host = hostOf(member)
      return host === null ? [] : [[name, host] as const]
    }),
  )
  return hosts.size > 0 ? { field: field.trim(), members, hosts } : null
}

/** Returns the host of an `https` address. Null for any other value, and for a key set at another address. */
function hostOf(member: Member): string | null {
  if (isList(member)) return null
  const [address, params] = member
  if (typeof address !== 'string') return null
  const type = params.get('type')
  const named = type instanceof Token ? type.toString() : type
  if (named !== undefined && named !== 'directory') return null
  const url = address.length > 512 ? null : URL.parse(address)
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.port === ''
  const isRoot = url?.pathname === '/' || url?.pathname === directoryPath
  return isPlain && isRoot && url.search === '' ? url.hostname : null
}

function claimOf(input: InnerList, made: Member | undefined, agents: Agents, first: string): Claim {
  const names = input[0].map(formatMember)
  const own = input[0].find(isAgentComponent)
  const covered = own && coveredHost(own, agents)
  const signer = covered ?? first
  const bytes = made?.[0]
  if (!(bytes instanceof ArrayBuffer)) return { signer, problem: unverified.malformed }
  if (new Set(names).size < names.length) return { signer, problem: unverified.malformed }
  const isHostCovered = names.includes('"@authority"') || names.includes('"@target-uri"')
  if (!isHostCovered || covered === undefined) return { signer, problem: unverified.coverage }
  const created = numberOf(input, 'created')
  const expires = numberOf(input, 'expires')
  const keyid = stringOf(input, 'keyid')
  if (created === undefined || expires === undefined || !keyid)
    return { signer, problem: unverified.parameters }
  if (expires <= created || expires - created > lifetimeMaxSeconds)
    return { signer, problem: unverified.lifetime }
  if (testKeys.has(keyid)) return { signer, problem: unverified.testKey }
  const proof = {
    input,
    signature: Buffer.from(bytes),
    keyid,
    alg: stringOf(input, 'alg'),
    created,
    expires,
    agentField: agents.field,
    agentMembers: agents.members,
  }
  return { signer, proof }
}

const isAgentComponent = ([value]: Item) => value === 'signature-agent'

/**
 * Returns the host whose address a signature covers. One over the whole field covers its only member. With several
 * members, the signer is unclear.
 */
function coveredHost([, params]: Item, { hosts }: Agents): string | undefined {
  const key = params.get('key')
  if (typeof key === 'string') return hosts.get(key)
  return hosts.size === 1 ? [...hosts.values()][0] : undefined
}

const tagOf = (list: InnerList) => stringOf(list, 'tag')

function stringOf([, params]: InnerList, name: string): string | undefined {
  const value = params.get(name)
  return typeof value === 'string' ? value : undefined
}

function numberOf([, params]: InnerList, name: string): number | undefined {
  const value = params.get(name)
  return typeof value === 'number' ? value : undefined
}
