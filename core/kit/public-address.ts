import { BlockList, isIP } from 'node:net'

/**
 * Special-purpose addresses of the IANA registries, and metadata services of clouds outside those ranges. Of IPv6,
 * only 2000::/3 is public.
 */
const reservedV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's host
  '169.254.0.0/16', // link-local, where most clouds keep their metadata
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16',
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/3', // multicast, reserved, broadcast
]

const reservedV6 = [
  '2001::/23', // protocol assignments, Teredo, ORCHID, benchmarks
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

const reserved = listOf([...reservedV4, ...reservedV6])
const handedOut = listOf(['2000::/3'])

/** Whether an address is on the public internet. Renown connects only to such addresses. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, 'ipv4')
    case 6:
      return handedOut.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
    default:
      return false
  }
}

const loopback = listOf(['127.0.0.0/8', '::1/128'])

/** Whether an address belongs to this machine. */
export const isLoopbackAddress = (address: string): boolean => {
  const family = isIP(address)
  return family !== 0 && loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
