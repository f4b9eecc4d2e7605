import { isPublic, parseAddress } from '../../address'

/** Maximum addresses of a forwarding header that are read. */
const hopsMax = 32

/**
 * Returns the client of a request that came through proxies: the address of the connection if it is public,
 * otherwise the only public address of `X-Forwarded-For`. With several, anyone may have invented the first
 * ones, and the last can be a proxy. Then the client is unknown.
 */
export function clientBehind(connection: string | undefined, forwarded: string | undefined): string | null {
  if (connection !== undefined && isPublicText(connection)) return connection
  return forwarded === undefined ? (connection ?? null) : clientIn(forwarded, connection ?? null)
}

/** Returns the only public address of a list. If it has none, `otherwise` or the last one, and null if it has several. */
export function clientIn(forwarded: string, otherwise: string | null = null): string | null {
  const hops = forwarded.split(',', hopsMax).map((hop) => hop.trim())
  const clients = new Set(hops.filter(isPublicText))
  const [client, ...others] = clients
  if (others.length > 0 || hops.length === hopsMax) return null
  return client ?? otherwise ?? hops.at(-1) ?? null
}

/** Maximum characters of a forwarding header. */
const listMax = 1_024

/** Whether a text is the value of a forwarding header: addresses with commas between them. */
export function isAddressList(text: string): boolean {
  if (text.length > listMax) return false
  return text.split(',', hopsMax).every((one) => one.trim() === 'unknown' || parseAddress(one) !== null)
}

/** Removes the port after an address. IPv6 addresses may have no brackets. */
export function withoutPort(text: string): string {
  if (text.startsWith('[')) return text.slice(1, text.indexOf(']'))
  return text.replace(/:\d{1,5}$/, '')
}

/** Whether a text is an address that is not of a private or reserved network. */
export function isPublicText(text: string): boolean {
  const address = parseAddress(text)
  return address !== null && isPublic(address)
}
