import { mcpRequest } from './mcp'
import { passTime } from './wait-for'

/** What a load asks, until it is over. */
export interface RestartLoad {
  /** What failed, with the kind of the request. */
  readonly failed: readonly string[]
  /** How many failed, by the kind of the request and its answer. */
  failures(): Readonly<Record<string, number>>
  readonly answered: Readonly<Record<string, number>>
  /** Hits that were acknowledged. */
  accepted(): number
  stop(): Promise<void>
}

type Call = () => Promise<Response>

/** Between an answer and the next request of a client. */
const pauseMs = 40

/** Sends each kind of request again and again, one at a time. Every client keeps its connections. */
export function startRestartLoad(calls: Readonly<Record<string, Call>>): RestartLoad {
  const failed: string[] = []
  const answered: Record<string, number> = {}
  let accepted = 0
  let isOver = false
  const client = async (kind: string, call: Call) => {
    while (!isOver) {
      try {
        const response = await call()
        const text = await response.text()
        if (!response.ok)
          failed.push(`${kind}: ${response.status} ${text.replaceAll(/<[^>]*>|\s+/g, ' ').slice(-300)}`)
        else if (kind.startsWith('hits')) accepted += (JSON.parse(text) as { accepted: number }).accepted
        answered[kind] = (answered[kind] ?? 0) + 1
      } catch (error) {
        failed.push(`${kind}: ${String(error)}`)
      }
      await passTime(pauseMs)
    }
  }
  const clients = Object.entries(calls).map(([kind, call]) => client(kind, call))
  return {
    failed,
    failures() {
      const counts: Record<string, number> = {}
      for (const what of failed) counts[what] = (counts[what] ?? 0) + 1
      return counts
    },
    answered,
    accepted: () => accepted,
    async stop() {
      isOver = true
      await Promise.all(clients)
    },
  }
}

const json = { 'content-type': 'application/json' }

/** Calls of programs and agents at a gateway. */
export function gatewayCalls(origin: string, key: string): Record<string, Call> {
  const authorization = `Bearer ${key}`
  const mcp = (method: string, params: Record<string, unknown> = {}) => {
    const { headers, body } = mcpRequest('2025-11-25', method, params)
    return fetch(`${origin}/api/mcp`, {
      method: 'POST',
      headers: { ...headers, ...json, authorization, accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    })
  }
  const list = () => fetch(`${origin}/api/entities/AiTrafficSite`, { headers: { authorization } })
  return {
    'list one': list,
    'list two': list,
    post: () =>
      fetch(`${origin}/api/functions/whoami`, {
        method: 'POST',
        headers: { ...json, authorization },
        body: '{}',
      }),
    'post that writes': () =>
      fetch(`${origin}/api/functions/markNotificationsRead`, {
        method: 'POST',
        headers: { ...json, authorization, 'idempotency-key': crypto.randomUUID() },
        body: '{"notification_ids":["ntf_none"]}',
      }),
    'tool list': () => mcp('tools/list'),
    'tool call': () => mcp('tools/call', { name: 'whoami', arguments: {} }),
    'sign-in page': () => fetch(`${origin}/app/sign-in`),
  }
}

/** A forwarder that posts batches of `batch` hits. */
export const hitsCall = (origin: string, token: string, batch: number) => (): Promise<Response> =>
  fetch(`${origin}/v1/hits`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify(
      Array.from({ length: batch }, (_, n) => ({
        ts: new Date().toISOString(),
        ip: null,
        method: 'GET',
        path: `/${crypto.randomUUID().slice(0, 2)}-${n}`,
        ua: 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
      })),
    ),
  })

/** A page that listens to news, and listens again when its stream ends. `refused` has the answers that were no stream. */
export function startListener(url: string, cookie: string) {
  const refused: string[] = []
  const state = { opened: 0 }
  const over = new AbortController()
  const listen = async () => {
    const response = await fetch(url, { headers: { cookie }, redirect: 'manual', signal: over.signal })
    if (response.headers.get('content-type') !== 'text/event-stream') {
      refused.push(`${response.status}`)
      return
    }
    state.opened++
    // A stream that its server cuts is over like one that it ends.
    for await (const _ of response.body ?? []);
  }
  const running = (async () => {
    while (!over.signal.aborted) {
      const opened = state.opened
      await listen().catch((error) => {
        if (state.opened === opened && !over.signal.aborted) refused.push(String(error))
      })
      await passTime(pauseMs)
    }
  })()
  return {
    refused,
    opened: () => state.opened,
    async stop() {
      over.abort()
      await running
    },
  }
}
