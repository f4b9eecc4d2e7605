import type { PeerOf } from '../contracts/traffic'
import { StartError } from './start-error'

/** `peer` returns the other end of the request's socket, which takes a microsecond. */
export type RequestHandler = (request: Request, peer: PeerOf) => Response | Promise<Response>

/** A listener on one port. It listens before any data is opened. Until it has a handler it is alive, and answers 503 to all else. */
export interface Listener {
  readonly port: number
  open(answer: RequestHandler): void
  /**
   * Ends the listener. First it goes on answering for at most `drainMs`, while its health checks say that it is stopping, so that
   * balancers choose another process. Then it refuses connections and waits for running requests, at most `waitMs`.
   */
  close(waitMs: number, drainMs?: number): Promise<void>
}

/** Listens on a port before any data is opened, so that a busy port is reported first. */
export function openListener(setting: string, hostname: string, port: number): Listener {
  let answer: RequestHandler = starting
  let isDraining = false
  let askedAt = 0
  let ended: Promise<void> | undefined
  const drained: RequestHandler = async (request, peer) => {
    if (healthPaths.has(new URL(request.url).pathname)) return notReady('Renown is stopping.')
    askedAt = performance.now()
    const response = await answer(request, peer)
    // A client that keeps its connection would lose the request that it sends while the connection ends.
    response.headers.set('connection', 'close')
    return response
  }
  const end = async (waitMs: number, drainMs: number) => {
    isDraining = true
    askedAt = performance.now()
    const drainedAt = askedAt + drainMs
    const isBusy = () => server.pendingRequests > 0 || performance.now() - askedAt < quietMs
    while (performance.now() < drainedAt && isBusy()) await Bun.sleep(20)
    // Connections that wait for their next request end now, running requests go on.
    const stopped = server.stop(false)
    const until = performance.now() + waitMs
    while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(5)
    await Promise.all([stopped, server.stop(true)])
  }
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
    fetch: (request: Request) => {
      const reply = isDraining ? drained : answer
      return request.url.startsWith('/') ? withoutHost(request, reply) : reply(request, peer)
    },
    // Bun prints unhandled errors with the address, which may contain a token.
    error: failed,
  })
  return {
    port: server.port ?? port,
    open(next) {
      answer = next
    },
    close(waitMs, drainMs = 0) {
      ended ??= end(waitMs, drainMs)
      return ended
    },
  }
}

/** How long a listener that stops goes on answering, so that balancers notice. A start after a stop takes no longer for it. */
export const drainMs = 1_500
/** A listener without requests for this time need not wait for balancers. */
const quietMs = 250
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

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

/** A start waits for a store for as long as that is away. A supervisor that restarts what is not alive would end it each time. */
const starting: RequestHandler = (request) =>
  new URL(request.url).pathname === '/livez'
    ? Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } })
    : notReady('Renown is starting.')

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
