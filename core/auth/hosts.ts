import { where } from '../contracts/where'
import type { Documents } from '../stores/documents/port'
import { Workspace } from '../tenancy/Workspace'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * The hosts on which an agency's credentials work: the main host, its own white-label domains, and the machine itself,
 * where the owner and reverse proxies ask. Without a public origin every host is the main one.
 */
export function createHosts(documents: Documents, publicUrl: string) {
  const main = publicUrl === '' ? '' : new URL(publicUrl).hostname
  const workspaces = documents.collection(Workspace)
  return {
    main: publicUrl,
    async serves(request: Request, agencyId: string): Promise<boolean> {
      if (main === '') return true
      const host = hostnameOf(request.headers.get('host') ?? new URL(request.url).host)
      if (host === main || loopback.test(host)) return true
      const own = where.and(where.eq('agency_id', agencyId), where.eq('white_label_domain', host))
      return (await workspaces.count(own, 1)) > 0
    },
  }
}

const hostnameOf = (host: string) => host.toLowerCase().replace(/:\d+$/, '')
