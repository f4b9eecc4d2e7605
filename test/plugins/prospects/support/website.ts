import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Dns, SafeFetch } from '../../../../core/contracts/outbound'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { quietLog } from '../../../support/quiet-log'
import { standInResolver } from '../../../support/stand-in-resolver'

const tls = (name: string) => readFileSync(join(import.meta.dir, '../../../fixtures/tls', name), 'utf8')
const names = ['service.example', 'other.example', 'wrong.example']

type Answer = (request: Request) => Response | Promise<Response>

/** Websites on real sockets, over https and http, and what reaches them as if their ports were 443 and 80. */
export interface Websites {
  /** By scheme, host and path, such as `https://service.example/`; 404 where nothing is set. */
  readonly answers: Map<string, Answer>
  /** What was asked, in order. */
  readonly asked: string[]
  readonly safeFetch: SafeFetch
  readonly dns: Dns
  /** Answers a page of HTML there. */
  page(url: string, html: string, headers?: Readonly<Record<string, string>>): void
  text(url: string, body: string, status?: number): void
  redirect(url: string, to: string): void
  reset(): void
  stop(): Promise<void>
}

export function startWebsites(): Websites {
  const answers = new Map<string, Answer>()
  const asked: string[] = []
  const serve = (protocol: 'http:' | 'https:') => (request: Request) => {
    const host = (request.headers.get('host') ?? '').replace(/:\d+$/, '')
    const url = `${protocol}//${host}${new URL(request.url).pathname}`
    asked.push(url)
    return answers.get(url)?.(request) ?? new Response('nothing', { status: 404 })
  }
  const on = { port: 0, hostname: '127.0.0.1' }
  const plain = Bun.serve({ ...on, fetch: serve('http:') })
  const secure = Bun.serve({
    ...on,
    fetch: serve('https:'),
    tls: { cert: tls('cert.pem'), key: tls('key.pem') },
  })
  const gone = Bun.serve({ ...on, fetch: () => new Response('') })
  const nobody = String(gone.port)
  void gone.stop(true)
  const resolver = standInResolver()
  for (const name of names) resolver.setAddresses(name, ['127.0.0.1'])
  resolver.setAddresses('inside.example', ['10.0.0.7'])
  resolver.setAddresses('closed.example', ['127.0.0.1'])
  const through = createSafeFetch({ dns: resolver, log: quietLog, allowLoopback: true, ca: tls('cert.pem') })
  return {
    answers,
    asked,
    dns: resolver,
    async safeFetch(url, options) {
      const target = new URL(url)
      if (names.includes(target.hostname) && target.port === '')
        target.port = String(target.protocol === 'https:' ? secure.port : plain.port)
      if (target.hostname === 'closed.example') target.port = nobody
      const answer = await through(target.href, options)
      const last = new URL(answer.url)
      last.port = ''
      return { ...answer, url: last.href }
    },
    page: (url, html, headers = {}) =>
      void answers.set(
        url,
        () => new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } }),
      ),
    text: (url, body, status = 200) =>
      void answers.set(url, () => new Response(body, { status, headers: { 'content-type': 'text/plain' } })),
    redirect: (url, to) =>
      void answers.set(url, () => new Response('', { status: 301, headers: { location: to } })),
    reset() {
      answers.clear()
      asked.length = 0
    },
    async stop() {
      await plain.stop(true)
      await secure.stop(true)
    },
  }
}
