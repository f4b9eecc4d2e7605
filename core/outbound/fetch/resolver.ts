import { promises as dns } from 'node:dns'
import type { Dns } from '../../contracts/outbound'
import { isServiceFault } from '../../contracts/service-fault'
import { outboundFault } from '../fault'

export interface ResolverOptions {
  /** Servers as `address` or `address:port`. Default: those of the machine. */
  readonly servers?: readonly string[]
  readonly timeoutMs?: number
}

/** Looks up names only at DNS servers, never in a hosts file. */
export function createResolver({ servers = [], timeoutMs = 5_000 }: ResolverOptions = {}): Dns {
  const ask = async <Answer>(look: (resolver: dns.Resolver) => Promise<Answer[]>): Promise<Answer[]> => {
    const resolver = new dns.Resolver()
    if (servers.length > 0) resolver.setServers(servers)
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        resolver.cancel()
        reject(outboundFault('unresolvable', 'The DNS did not answer in time.'))
      }, timeoutMs)
    })
    try {
      return await Promise.race([look(resolver), late])
    } catch (error) {
      if (isServiceFault(error)) throw error
      if (absent.has(codeOf(error))) return []
      throw outboundFault('unresolvable', 'The DNS lookup failed.')
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    async addresses(name) {
      const [four, six] = await Promise.allSettled([
        ask((resolver) => resolver.resolve4(name)),
        ask((resolver) => resolver.resolve6(name)),
      ])
      const found = [four, six].flatMap((asked) => (asked.status === 'fulfilled' ? asked.value : []))
      if (found.length === 0 && four.status === 'rejected') throw four.reason
      return found
    },
    txt: async (name) => (await ask((resolver) => resolver.resolveTxt(name))).flat(),
  }
}

/** Error codes for a name or record that does not exist. */
const absent = new Set(['ENOTFOUND', 'ENODATA', 'NOTFOUND', 'NODATA', 'ENONAME'])
const codeOf = (error: unknown) =>
  String((error as { code?: unknown } | null)?.code ?? '').replace(/^DNS_/, '')
