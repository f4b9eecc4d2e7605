import { isIP } from 'node:net'
import { isPublicAddress } from './public-address'

/** Names that never lead to the public internet. */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa|lan|onion)$/

/**
 * Returns why Renown never fetches an address that a person typed, or null. It resolves no name, so a fetch checks the address
 * again.
 */
export function fetchRefusal(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return 'it is not a web address'
  const name = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isPrivate = isIP(name) ? !isPublicAddress(name) : privateName.test(name) || !name.includes('.')
  if (isPrivate) return 'it is not on the public internet'
  return ['', '80', '443'].includes(url.port) ? null : 'it names a port other than 80 and 443'
}
