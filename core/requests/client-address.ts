import { BlockList, isIP } from 'node:net'
import { headerText } from './headers'

/** Returns the address of a socket's peer. A function, because the lookup costs time and few need it. */
export type Peer = () => string | null

/** Returns a caller's IP address: the socket's peer, or what trusted proxies saw, read from the right. */
export function createClientAddress(trusted: readonly string[]): (request: Request, peer: Peer) => Peer {
  const isProxy = createTrusted(trusted)
  return (request, peer) => () => {
    let address = plain(peer())
    const hops = headerText(request.headers, 'x-forwarded-for').split(',')
    for (const hop of hops.reverse()) {
      const before = plain(hop.trim())
      if (!isProxy(address) || isIP(before) === 0) break
      address = before
    }
    return address
  }
}

/** Whether an IP address is a trusted proxy. */
export function createTrusted(trusted: readonly string[]): (address: string | null) => boolean {
  const proxies = new BlockList()
  for (const range of trusted) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address)
    if (family === 0) throw new Error(`TRUSTED_PROXIES: ${range} is not an address range`)
    proxies.addSubnet(address, Number(bits ?? (family === 4 ? 32 : 128)), family === 4 ? 'ipv4' : 'ipv6')
  }
  return (given) => {
    const address = plain(given)
    return address !== null && proxies.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
}

/** Returns the key by which failures are counted: an IPv4 address, or the /64 of one IPv6 subscriber. */
export function addressBucket(address: string | null): string {
  const text = plain(address) ?? 'unknown'
  if (isIP(text) !== 6) return text
  const [head = ''] = text.split('::')
  const groups = head.split(':').filter(Boolean)
  return `${[...groups, '0', '0', '0', '0'].slice(0, 4).join(':')}::/64`
}

/** Returns an IPv4 address in its own form if a dual-stack socket wrote it as IPv6. */
function plain(address: string): string
function plain(address: string | null): string | null
function plain(address: string | null): string | null {
  return address?.startsWith('::ffff:') ? address.slice(7) : address
}
