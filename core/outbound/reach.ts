import { isServiceFault } from '../contracts/service-fault'

/** A service of the settings, such as a platform or the mail server, that does not answer. */
export interface FailingService {
  /** The name of its host. */
  readonly service: string
  /** ISO 8601, of the first failure in a row. */
  readonly since: string
}

export type Reach = ReturnType<typeof createReach>

/** After three failures in a row, a service is failing. One failure says nothing. */
const failuresMin = 3
/** Services that are remembered. Their names come from the settings, so that more is a fault. */
const servicesMax = 200

interface Row {
  readonly since: Date
  readonly failures: number
}

/** Remembers which services do not answer this process, by the name of their host. */
export function createReach(now: () => Date) {
  const rows = new Map<string, Row>()
  const failed = (service: string) => {
    const { since = now(), failures = 0 } = rows.get(service) ?? {}
    if (rows.has(service) || rows.size < servicesMax) rows.set(service, { since, failures: failures + 1 })
  }
  return {
    /** Watches one request. A refusal is an answer. No answer, and an answer that the service itself is broken, is none. */
    async watched<T>(service: string, request: () => Promise<T>): Promise<T> {
      try {
        const answer = await request()
        rows.delete(service)
        return answer
      } catch (error) {
        if (isServiceFault(error) && error.kind === 'transient') failed(service)
        else if (isServiceFault(error)) rows.delete(service)
        throw error
      }
    },
    failing: (): readonly FailingService[] =>
      [...rows].flatMap(([service, { since, failures }]) =>
        failures < failuresMin ? [] : [{ service, since: since.toISOString() }],
      ),
  }
}
