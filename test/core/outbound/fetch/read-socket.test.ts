import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createReadSocket } from '../../../../core/outbound/fetch/read-socket'
import { standInResolver } from '../../../support/stand-in-resolver'

const tls = (name: string) => readFileSync(join(import.meta.dir, '../../../fixtures/tls', name), 'utf8')
const limits = { messageBytesMax: 100, bytesMax: 1_000, timeoutMs: 20_000, idleMs: 10_000 }
const within = () => ({ ...limits, signal: new AbortController().signal })

describe('reading a WebSocket', () => {
  let server: Bun.Server<{ readonly path: string }>
  const hosts: (string | null)[] = []
  beforeAll(() => {
    server = Bun.serve<{ readonly path: string }>({
      port: 0,
      hostname: '127.0.0.1',
      tls: { cert: tls('cert.pem'), key: tls('key.pem') },
      fetch(request, self) {
        hosts.push(request.headers.get('host'))
        const { pathname: path } = new URL(request.url)
        if (path === '/refused' || !self.upgrade(request, { data: { path } }))
          return new Response('no', { status: 403 })
      },
      websocket: {
        open(socket) {
          const { path } = socket.data
          if (path === '/bytes') socket.send(new Uint8Array(3))
          if (path === '/large') socket.send('x'.repeat(101))
          for (let n = 0; n < 30 && path === '/many'; n++) socket.send('x'.repeat(50))
          if (path === '/closing') socket.close()
        },
        message() {},
      },
    })
  })
  afterAll(() => server.stop(true))

  function outside({ allowLoopback = true } = {}) {
    const dns = standInResolver()
    for (const name of ['service.example', 'wrong.example']) dns.setAddresses(name, ['127.0.0.1'])
    dns.setAddresses('inside.example', ['10.0.0.7'])
    dns.setAddresses('mixed.example', ['93.184.215.14', '169.254.169.254'])
    return createReadSocket({ dns, allowLoopback, ca: tls('cert.pem') })
  }
  const at = (path: string, host = 'service.example') => `wss://${host}:${server.port}${path}`
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      (end) => end,
      (error: { code?: string }) => error.code,
    )

  test('reads until the reader has enough, by a checked address with the name of the host', async () => {
    const got: string[] = []
    const end = await outside()(at('/many'), within(), (text) => got.push(text) < 3)
    expect([end, got.length, hosts.at(-1)]).toEqual(['done', 3, `service.example:${server.port}`])
  })

  test.each([
    ['wss://inside.example/', 'refused'],
    ['wss://mixed.example/', 'refused'],
    ['wss://127.0.0.1/', 'refused'],
    ['wss://[::1]/', 'refused'],
    ['wss://169.254.169.254/', 'refused'],
    ['ws://service.example/', 'refused'],
    ['wss://service.example:8443/', 'refused'],
    ['wss://user:password@service.example/', 'refused'],
    ['wss://nowhere.example/', 'unresolvable'],
  ])('makes no connection to %s', async (address, code) => {
    expect(await codeOf(outside({ allowLoopback: false })(address, within(), () => true))).toBe(code)
  })

  test.each([
    ['/bytes', 'malformed'],
    ['/large', 'too_large'],
    ['/many', 'limit'],
    ['/closing', 'closed'],
    ['/refused', 'unreachable'],
  ])('%s ends with %s', async (path, code) => {
    expect(await codeOf(outside()(at(path), within(), () => true))).toBe(code)
  })

  test('trusts only a certificate of the name', async () => {
    expect(await codeOf(outside()(at('/many', 'wrong.example'), within(), () => true))).toBe('unreachable')
  })

  test('ends when nothing arrives, or when the time is over', async () => {
    expect(await outside()(at('/quiet'), { ...within(), idleMs: 20 }, () => true)).toBe('idle')
    const late = await codeOf(outside()(at('/quiet'), { ...within(), timeoutMs: 200 }, () => true))
    // On a busy machine the time can be over before the connection is made.
    expect(['limit', 'timeout']).toContain(String(late))
  })

  test('stops with the reason of the caller, and passes on what the reader throws', async () => {
    const signal = AbortSignal.abort(new Error('called off'))
    await expect(outside()(at('/quiet'), { ...limits, signal }, () => true)).rejects.toThrow('called off')
    const fail = () => {
      throw new Error('unreadable')
    }
    await expect(outside()(at('/many'), within(), fail)).rejects.toThrow('unreadable')
  })
})
