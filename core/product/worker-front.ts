import { Refusal } from '../contracts/errors'
import { createDiscovery, type DiscoveryDeps } from '../http/discovery'
import { createGatewayMetrics } from '../http/metrics'
import type { RequestHandler } from '../process/listeners'
import { problemResponse } from '../requests/problem'
import { requestIdOf } from '../requests/request'

/** What the port of a worker needs: what describes a gateway, without its pages. */
export type WorkerFrontDeps = Omit<DiscoveryDeps, 'metrics' | 'streams'>

/** Answers on the port of a worker: health and metrics, for the operator. Everything else is at a gateway. */
export function createWorkerFront(deps: WorkerFrontDeps): RequestHandler {
  const { config, owner } = deps
  const streams = () => ({ open: 0, max: config.STREAMS_MAX, ended: 0, refused: 0 })
  const { health, metrics } = createDiscovery({ ...deps, metrics: createGatewayMetrics(), streams })
  const answers: Readonly<Record<string, (request: Request) => Response | Promise<Response>>> = {
    '/livez': health.alive,
    '/readyz': health.ready,
    '/metrics': metrics,
  }
  return async (request) => {
    const path = URL.parse(request.url)?.pathname ?? '/'
    try {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      const answer = isRead && Object.hasOwn(answers, path) ? answers[path] : undefined
      if (!answer) throw new Refusal('not_found', nothingHere)
      return await answer(request)
    } catch (error) {
      const requestId = requestIdOf(request)
      return problemResponse(error, { requestId, path, apiUrl: config.apiUrl, log: owner.log })
    }
  }
}

const nothingHere =
  'This process only works on jobs. It answers /livez, /readyz and /metrics. Pages and the API are at a gateway.'
