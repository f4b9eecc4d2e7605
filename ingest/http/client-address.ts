import { contains, type Prefix, parseAddress, parsePrefix } from '../parse/address'

/** Returns the client of a request: the socket's peer, or what the trusted proxies report. */
export type ClientAddress = (peer: string | null, forwardedFor: string | null) => string | null

/**
 * Reads `X-Forwarded-For` from the right, and only while each hop is a trusted proxy, so that text of the
 * client itself is never used. Throws if a setting is not a network.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const proxies = trusted.map(networkOf)
  const isProxy = (text: string) => {
    const address = parseAddress(text)
    return address !== null && proxies.some((proxy) => contains(proxy, address))
  }
  return (peer, forwardedFor) => {
    if (peer === null || !forwardedFor || !isProxy(peer)) return peer
    let client = peer
    for (const hop of forwardedFor.split(',').reverse()) {
      if (!parseAddress(hop)) return client
      client = hop.trim()
      if (!isProxy(client)) return client
    }
    return client
  }
}

function networkOf(text: string): Prefix {
  const prefix = parsePrefix(text)
  if (!prefix) throw new Error(`TRUSTED_PROXIES: ${text} is not a network such as 10.0.0.0/8`)
  return prefix
}
