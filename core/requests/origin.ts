import { Refusal } from '../contracts/errors'
import type { Config } from '../process/config'
import { type Host, isLoopback } from './host'

/** Headers that browsers may send to MCP, and those they may read. */
export const sentHeaders =
  'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, x-workspace-id, x-request-id'
const read = 'www-authenticate, mcp-session-id, retry-after, x-request-id, ratelimit, ratelimit-policy'

/**
 * Which pages may call MCP from a browser: pages of this host, of the main host and of this machine. Programs send no
 * Origin.
 */
export function createOrigins(config: Pick<Config, 'apiUrl'>) {
  const own = new URL(config.apiUrl).origin
  const isAllowed = (host: Host | null, origin: string) =>
    origin === own || origin === host?.origin || isOfMachine(origin)
  return {
    /** Returns the headers with which a page of an allowed origin may read the answer. */
    headers(request: Request, host: Host | null): Record<string, string> {
      const origin = request.headers.get('origin')
      if (origin === null || !isAllowed(host, origin)) return {}
      return { 'access-control-allow-origin': origin, 'access-control-expose-headers': read, vary: 'Origin' }
    },
    /** Headers of the answer to a preflight. */
    preflight: {
      allow: 'POST, OPTIONS',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': sentHeaders,
      'access-control-max-age': '600',
    },
    check(request: Request, host: Host | null): void {
      const origin = request.headers.get('origin')
      if (origin === null || isAllowed(host, origin)) return
      throw new Refusal('origin_not_allowed', 'Pages from this origin cannot call MCP on this host.')
    },
  }
}

/** Whether an origin is on this machine, in the form that browsers send. */
function isOfMachine(origin: string): boolean {
  const url = URL.parse(origin)
  return url?.origin === origin && ['http:', 'https:'].includes(url.protocol) && isLoopback(url.hostname)
}
