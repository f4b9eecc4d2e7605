import type { Config } from '../config'
import { Refusal } from '../contracts/errors'

const loopback = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

/** Headers that browsers may send to MCP, and those they may read. */
const sent =
  'authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, x-workspace-id, x-request-id'
const read = 'www-authenticate, retry-after, x-request-id, ratelimit, ratelimit-policy'

/**
 * Which pages may speak to MCP from a browser: those of this host and of the machine itself. Programs send no Origin.
 * Without a public origin a Host proves nothing, so that only the loopback counts.
 */
export function createOrigins(config: Pick<Config, 'apiUrl' | 'RENOWN_URL'>) {
  const own = new URL(config.apiUrl).origin
  const isAllowed = (request: Request, origin: string) => {
    if (origin === own || loopback.test(origin)) return true
    return config.RENOWN_URL !== '' && origin === `https://${request.headers.get('host')}`
  }
  return {
    /** The headers by which a page of an allowed origin may read the answer. */
    headers(request: Request): Record<string, string> {
      const origin = request.headers.get('origin')
      if (origin === null || !isAllowed(request, origin)) return {}
      return { 'access-control-allow-origin': origin, 'access-control-expose-headers': read, vary: 'Origin' }
    },
    /** What a preflight is told beside. */
    preflight: {
      allow: 'POST, OPTIONS',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': sent,
      'access-control-max-age': '600',
    },
    check(request: Request): void {
      const origin = request.headers.get('origin')
      if (origin === null || isAllowed(request, origin)) return
      throw new Refusal('origin_not_allowed', 'Pages of this origin may not speak to MCP here.')
    },
  }
}
