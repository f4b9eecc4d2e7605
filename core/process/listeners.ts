import type { PeerOf } from '../contracts/traffic'
import { StartError } from './start-error'

/** `peer` returns the other end of the request's socket, which takes a microsecond. */
export type RequestHandler = (request: Request, peer: PeerOf) => Response | Promise<Response>

/** A listener on one port. It listens before any data is opened, and answers 503 until it has a handler. */
export interface Listener {
  readonly port: number
  open(answer: RequestHandler): void
  /** Refuses new requests and waits for running ones, at most `waitMs`. */
  close(waitMs: number): Promise<void>
}

/** Listens on a port before any data is opened, so that a busy port is reported first. */
export function openListener(setting: string, hostname: string, port: number): Listener {
  let answer: RequestHandler = () => notReady('Renown is starting.')
  const peer: PeerOf = (request) => server.requestIP(request)?.address ?? null
  const server = listen(setting, {
    hostname,
    port,
    maxRequestBodySize: 2 ** 30,
    idleTimeout: 30,
    development: false,
    // Outside development Bun shares ports by default, so a second product would silently get half of the
    // requests.
    reusePort: false,
    fetch: (request: Request) =>
      request.url.startsWith('/') ? withoutHost(request, answer) : answer(request, peer),
    // Bun prints unhandled errors with the address, which may contain a token.
    error: failed,
  })
  return {
    port: server.port ?? port,
    open(next) {
      answer = next
    },
    async close(waitMs) {
      answer = () => notReady('Renown is stopping.')
      const until = performance.now() + waitMs
      while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(5)
      await server.stop(true)
    },
  }
}

function listen(
  setting: string,
  options: Parameters<typeof Bun.serve>[0] & { port: number; hostname: string },
) {
  try {
    return Bun.serve(options)
  } catch (error) {
    const { hostname, port } = options
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${hostname} is taken by another program. Stop it, or set ${setting} to another port.`,
      EACCES: `Port ${port} may not be opened by this user. Set ${setting} to a port above 1023.`,
      EADDRNOTAVAIL: `This machine has no address ${hostname}. Set HOST to one of its addresses.`,
    }
    throw new StartError(reasons[code] ?? `Port ${port} on ${hostname} cannot be opened (${code || error}).`)
  }
}

/** What load balancers ask for with HTTP/1.0, which has no Host header. */
const checks = ['/', '/livez', '/readyz', '/healthz']

/**
 * A request without a Host header has no origin, so its address cannot be parsed. Checks of load balancers are answered as for this
 * machine.
 */
function withoutHost(request: Request, answer: RequestHandler): Response | Promise<Response> {
  if (!checks.includes(request.url)) return noHost()
  return answer(new Request(`http://localhost${request.url}`, { method: request.method }), () => null)
}

const notReady = (detail: string) =>
  problem(
    { title: 'Temporarily unavailable', status: 503, code: 'unavailable', detail },
    { 'retry-after': '1' },
  )

const noHost = () =>
  problem({
    title: 'Malformed request',
    status: 400,
    code: 'malformed_request',
    detail: 'Send a Host header.',
  })

const failed = () =>
  problem({ title: 'Internal error', status: 500, code: 'internal', detail: 'Something failed in Renown.' })

interface ProblemBody {
  readonly title: string
  readonly status: number
  readonly code: string
  readonly detail: string
}

const problem = (said: ProblemBody, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ type: 'about:blank', ...said }), {
    status: said.status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })
