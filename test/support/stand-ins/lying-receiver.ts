import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a receiver fails, or lies about what it received. It has read the message in each case. */
export const lies = [
  'never answers',
  'hangs after the headers',
  'drips the body',
  'sends an endless body',
  'resets the connection',
  'answers after the limit',
  'answers garbage',
  'answers 503',
  'ends the body too early',
] as const
export type Lie = (typeof lies)[number]

export interface LyingReceiver {
  readonly origin: string
  stop(): Promise<void>
}

/** A receiver in node:http, without code of the product. `answer` gets each message and decides what happens. */
export async function lyingReceiver(
  limitMs: number,
  answer: (
    request: IncomingMessage,
    body: string,
  ) => Lie | { readonly status: number; readonly body: string },
): Promise<LyingReceiver> {
  const timers = new Set<ReturnType<typeof setInterval>>()
  const every = (ms: number, response: ServerResponse, work: () => void) => {
    const timer = setInterval(work, ms)
    timers.add(timer)
    response.on('close', () => clearInterval(timer))
  }
  const lie: Readonly<Record<Lie, (response: ServerResponse) => void>> = {
    'never answers': () => {},
    'hangs after the headers': (response) => response.writeHead(200).flushHeaders(),
    'drips the body': (response) => {
      response.writeHead(200)
      every(limitMs / 10, response, () => response.write('.'))
    },
    'sends an endless body': (response) => {
      response.writeHead(200)
      every(5, response, () => response.write('x'.repeat(16_000)))
    },
    'resets the connection': (response) => response.socket?.destroy(),
    'answers after the limit': (response) => every(limitMs * 1.5, response, () => response.end('')),
    'answers garbage': (response) => response.socket?.end('this is no HTTP\r\n\r\n'),
    'answers 503': (response) => response.writeHead(503, { 'retry-after': '1' }).end('<h1>busy</h1>'),
    'ends the body too early': (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setTimeout(() => response.socket?.destroy(), 5)
    },
  }
  const server = createServer(async (request, response) => {
    response.on('error', () => {})
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const how = answer(request, Buffer.concat(parts).toString())
    if (typeof how === 'string') lie[how](response)
    else response.writeHead(how.status).end(how.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearInterval(timer)
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
