import { isIP } from 'node:net'
import type { Dns } from '../../contracts/outbound'
import { isLoopbackAddress, isPublicAddress } from '../../kit/public-address'
import { outboundFault } from '../fault'

export interface TargetRules {
  readonly dns: Pick<Dns, 'addresses'>
  readonly allowLoopback?: boolean
}

/** An allowed address and its IP addresses, looked up once and all checked. */
export interface Target {
  readonly url: URL
  readonly addresses: readonly string[]
}

const lengthMax = 2_048

/** Parses and resolves an address. A fault names the broken rule, never the IP address. */
export async function targetOf(
  text: string,
  { dns, allowLoopback = false }: TargetRules,
  { plainHttp = false }: { readonly plainHttp?: boolean },
  signal: AbortSignal,
): Promise<Target> {
  const url = text.length > lengthMax ? null : URL.parse(text)
  if (!url) throw refused('The address is not a valid URL for a request.')
  if (url.username !== '' || url.password !== '') throw refused('The address has a user name in it.')
  const fault = schemeFault(url, plainHttp) ?? portFault(url)
  if (fault !== undefined && !(allowLoopback && /^https?:$/.test(url.protocol))) throw refused(fault)
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(name) ? [name] : await resolved(dns, name, signal)
  if (allowLoopback && addresses.every(isLoopbackAddress)) return { url, addresses }
  if (fault !== undefined) throw refused(fault)
  if (!addresses.every(isPublicAddress)) throw refused('The host is not on the public internet.')
  return { url, addresses }
}

function schemeFault({ protocol }: URL, plainHttp: boolean): string | undefined {
  if (protocol === 'https:' || (plainHttp && protocol === 'http:')) return
  return `The address must begin with ${plainHttp ? 'http:// or ' : ''}https://.`
}

function portFault({ port }: URL): string | undefined {
  if (!['', '80', '443'].includes(port)) return 'The address names a port other than 80 and 443.'
}

async function resolved(dns: TargetRules['dns'], name: string, signal: AbortSignal) {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(outboundFault('timeout', 'The DNS did not answer in time.')),
    )
  })
  const addresses = await Promise.race([dns.addresses(name), late])
  if (addresses.length === 0) throw outboundFault('unresolvable', 'The host has no address.')
  return addresses
}

const refused = (message: string) => outboundFault('refused', message)
