import type { Item } from 'structured-headers'
import { hostOf } from '../../parse/paths'
import { isForeignLocal } from '../../sites/site-host'
import type { Proof } from './claim'
import { formatMember } from './structured'

/** What a log line tells about a request. */
export interface SignedRequest {
  readonly method: string
  /** Path or absolute URL, as the log has it. */
  readonly target: string
  /** The host in the log, if it has one. */
  readonly host: string | undefined
  readonly ua: string
  readonly referer: string | undefined
}

/** The texts that a signature may have been made over. */
export interface Bases {
  /** The most likely one is first. */
  readonly texts: readonly string[]
  /**
   * Whether the log has every covered part exactly as it was signed. Only then, a signature that fits none of
   * the texts is a false one.
   */
  readonly isExact: boolean
}

interface Place {
  readonly scheme: string
  readonly authority: string
}

/**
 * Returns the signature bases of RFC 9421 for a logged request, or null if the signature covers something that
 * no log has. A log may lack the host and mostly lacks the scheme, so there can be several. `domain` is the
 * domain of the site. An address or a local name is no host of a signature, because anybody can get a request to their
 * own address signed and send it here.
 */
export function signatureBases(proof: Proof, request: SignedRequest, domain: string): Bases | null {
  const inTarget = hostOf(request.target)
  const covers = (name: string) => proof.input[0].some(([value]) => value === name)
  const schemes =
    inTarget === null ? ['https', 'http'] : [request.target.split(':', 1)[0]?.toLowerCase() ?? '']
  const logged = inTarget ?? request.host
  const host = logged === undefined || isForeignLocal(logged, domain) ? undefined : logged
  const authorities = host === undefined ? [domain, `www.${domain}`] : [authorityOf(host)]
  const isSchemeUsed = covers('@scheme') || covers('@target-uri')
  const texts: string[] = []
  for (const scheme of isSchemeUsed ? schemes : schemes.slice(0, 1)) {
    for (const authority of authorities) {
      const text = baseOf(proof, request, { scheme, authority })
      if (text === null) return null
      texts.push(text)
    }
  }
  const isExact = host !== undefined && proof.input[0].every(([value]) => isLoggedExactly(value))
  return { texts, isExact }
}

/**
 * Servers and proxies may log a rewritten path, method or user agent, but not another host, and the signer's
 * address is in the headers themselves.
 */
const isLoggedExactly = (name: unknown) => name === '@authority' || name === 'signature-agent'

/** Returns a host in lower case, without the usual ports. */
const authorityOf = (host: string) => host.toLowerCase().replace(/:(?:80|443)$/, '')

function baseOf(proof: Proof, request: SignedRequest, place: Place): string | null {
  let text = ''
  for (const item of proof.input[0]) {
    const value = componentValue(item, proof, request, place)
    if (value === null) return null
    text += `${formatMember(item)}: ${value}\n`
  }
  return `${text}"@signature-params": ${formatMember(proof.input)}`
}

function componentValue(item: Item, proof: Proof, request: SignedRequest, place: Place): string | null {
  const [name, params] = item
  if (name === 'signature-agent') return agentValue(item, proof)
  if (params.size > 0) return null
  const target = originForm(request.target)
  const question = target.indexOf('?')
  switch (name) {
    case '@method':
      return request.method
    case '@authority':
      return place.authority
    case '@scheme':
      return place.scheme
    case '@target-uri':
      return `${place.scheme}://${place.authority}${target}`
    case '@request-target':
      return target
    case '@path':
      return question === -1 ? target : target.slice(0, question)
    case '@query':
      return question === -1 ? '?' : target.slice(question)
    case 'user-agent':
      return request.ua === '' ? null : request.ua
    case 'referer':
      return request.referer ?? null
    default:
      return null
  }
}

/** Returns the value of the whole field, or of the member that `key` names. */
function agentValue([, params]: Item, { agentField, agentMembers }: Proof): string | null {
  if (params.size === 0) return agentField
  const key = params.get('key')
  if (params.size > 1 || typeof key !== 'string') return null
  const member = agentMembers?.get(key)
  return member ? formatMember(member) : null
}

function originForm(target: string): string {
  const start = /^https?:\/\/[^/?#]*/i.exec(target)?.[0].length ?? 0
  const rest = target.slice(start)
  return rest.startsWith('/') ? rest : `/${rest}`
}
