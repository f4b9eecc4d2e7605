import { hitsCall } from './restart-load'
import { passTime, waitFor } from './wait-for'

/** A request without an answer after this time hangs. It is longer than every limit of a store. */
const hangMs = 90_000
const pauseMs = 50
const batch = 5

/** What one product answered while its store failed. */
export interface OutageLoad {
  /** When reads, writes and hits were answered with success. */
  readonly answered: Readonly<Record<'read' | 'write' | 'hits', number[]>>
  /** How many answers of each kind and status there were. */
  readonly counts: Readonly<Record<string, number>>
  /** Answers that no store that is away explains. */
  readonly wrong: readonly string[]
  /** Hits that were acknowledged. */
  accepted(): number
  /** Asks for a report of one day under one key until it is acknowledged, and returns its id. */
  report(location: string, day: string): Promise<string>
  stop(): Promise<void>
}

interface Ends {
  readonly api: string
  readonly ingest: string
  readonly key: string
  readonly token: string
}

/** Asks one product all the time, and judges each answer: success, or 503 with `Retry-After`. */
export function startOutageLoad({ api, ingest, key, token }: Ends): OutageLoad {
  const answered = { read: [] as number[], write: [] as number[], hits: [] as number[] }
  const counts: Record<string, number> = {}
  const wrong: string[] = []
  const state = { accepted: 0, isOver: false }
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }
  /** Returns the text of a success, or null. */
  const ask = async (
    kind: string,
    call: () => Promise<Response>,
    isStored = true,
  ): Promise<string | null> => {
    const hang = Promise.withResolvers<never>()
    const timer = setTimeout(() => hang.reject(new Error('no answer')), hangMs)
    try {
      const response = await Promise.race([call(), hang.promise])
      const text = await Promise.race([response.text(), hang.promise])
      count(`${kind} ${response.status}`)
      if (response.ok) return text
      // A key whose first call was cut off is busy for a while.
      const isBusy = kind === 'report' && response.status === 409
      const isTold = (response.status === 503 || isBusy) && response.headers.has('retry-after')
      if (!isStored || !isTold) wrong.push(`${kind} ${response.status}: ${text.slice(0, 300)}`)
    } catch (error) {
      count(`${kind} ${String(error)}`)
      wrong.push(`${kind}: ${String(error)}`)
    } finally {
      clearTimeout(timer)
    }
    return null
  }
  const read = () => fetch(`${api}/api/entities/AiTrafficSite`, { headers })
  const call = (name: string, body: unknown, idempotencyKey: string) =>
    fetch(`${api}/api/functions/${name}`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': idempotencyKey },
      body: JSON.stringify(body),
    })
  const write = () => call('markNotificationsRead', { notification_ids: ['ntf_none'] }, crypto.randomUUID())
  const send = hitsCall(ingest, token, batch)
  const client = async (kind: keyof typeof answered, one: () => Promise<Response>) => {
    while (!state.isOver) {
      // The ingest needs no MongoDB, so hits are never refused.
      const text = await ask(kind, one, kind !== 'hits')
      if (text !== null) answered[kind].push(Date.now())
      if (text !== null && kind === 'hits')
        state.accepted += (JSON.parse(text) as { accepted: number }).accepted
      await passTime(pauseMs)
    }
  }
  const clients = [client('read', read), client('read', read), client('write', write), client('hits', send)]
  return {
    answered,
    counts,
    wrong,
    accepted: () => state.accepted,
    async report(location, day) {
      const id = `report-of-${day}`
      const body = { business_location_id: location, period_start: day, period_end: day }
      const text = await waitFor(() => ask('report', () => call('generateReport', body, id)), {
        what: `the report of ${day} to be queued`,
        timeoutMs: 180_000,
        everyMs: 500,
      }).catch((error: Error) => {
        throw new Error(`${error.message}: ${wrong.at(-1)}`)
      })
      return (JSON.parse(text) as { report_id: string }).report_id
    },
    async stop() {
      state.isOver = true
      await Promise.all(clients)
    },
  }
}
