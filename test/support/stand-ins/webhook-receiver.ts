import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { SafeFetch } from '../../../core/contracts/outbound'
import { createSafeFetch } from '../../../core/outbound/fetch/safe-fetch'
import { quietLog } from '../quiet-log'
import { type StandInResolver, standInResolver } from '../stand-in-resolver'

/** A message as a receiver got it. */
export interface ReceivedMessage {
  readonly host: string
  readonly id: string
  readonly timestamp: number
  readonly signature: string
  /** The subscription of an agent that it belongs to. Empty for webhooks of the owner. */
  readonly subscription: string
  readonly body: string
}

/** How a receiver answers. `drop` closes the connection without an answer. */
export type Answer =
  | 'drop'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }

/** Receivers of webhooks on one port of this machine, each with a host name below `hooks.test`. */
export interface WebhookReceivers {
  readonly messages: ReceivedMessage[]
  readonly resolver: StandInResolver
  readonly safeFetch: SafeFetch
  /** Sets how a host answers. Without it, the host returns challenges and accepts every message. */
  answer(host: string, how: (message: ReceivedMessage) => Answer | Promise<Answer>): void
  /** Returns the messages of a host that are not challenges. */
  events(host?: string): ReceivedMessage[]
  stop(): Promise<void>
}

/** What a receiver answers that works: the challenge, or nothing. */
export function accept({ body }: ReceivedMessage): Answer {
  const { challenge } = JSON.parse(body) as { challenge?: string }
  return { status: 200, body: challenge === undefined ? '' : JSON.stringify({ challenge }) }
}

/** Whether a message has a signature of this secret, as the library of Standard Webhooks for receivers makes it. */
export const isSignedWith = ({ id, timestamp, body, signature }: ReceivedMessage, secret: string): boolean =>
  signature.split(' ').includes(new Webhook(secret).sign(id, new Date(timestamp * 1_000), body))

export async function webhookReceivers(): Promise<WebhookReceivers> {
  const messages: ReceivedMessage[] = []
  const answers = new Map<string, (message: ReceivedMessage) => Answer | Promise<Answer>>()
  const server = createServer(async (request, response) => {
    const message = await messageOf(request)
    messages.push(message)
    await reply(request, response, await (answers.get(message.host) ?? accept)(message))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const resolver = standInResolver()
  const here = createSafeFetch({ dns: resolver, log: quietLog, allowLoopback: true })
  const outside = createSafeFetch({ dns: resolver, log: quietLog })
  return {
    messages,
    resolver,
    // The product's own fetch. Only the address is another one: certificates of such hosts do not exist.
    safeFetch: (url, options) => {
      const { hostname, pathname } = new URL(url)
      if (!hostname.endsWith('.hooks.test')) return outside(url, options)
      return here(`http://127.0.0.1:${port}/${hostname}${pathname}`, options)
    },
    answer: (host, how) => void answers.set(host, how),
    events: (host) =>
      messages.filter(
        (one) => (host === undefined || one.host === host) && !one.body.includes('"verification"'),
      ),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function messageOf(request: IncomingMessage): Promise<ReceivedMessage> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const header = (name: string) => String(request.headers[name] ?? '')
  return {
    host: request.url?.split('/')[1] ?? '',
    id: header('webhook-id'),
    timestamp: Number(header('webhook-timestamp')),
    subscription: header('x-mcp-subscription-id'),
    signature: header('webhook-signature'),
    body: Buffer.concat(parts).toString(),
  }
}

async function reply(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  if (answer === 'drop') {
    request.socket.destroy()
    return
  }
  response.writeHead(answer.status, answer.headers ?? {})
  response.end(answer.body ?? '')
}
