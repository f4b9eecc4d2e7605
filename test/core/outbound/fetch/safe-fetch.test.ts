import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { SafeFetchOptions } from '../../../../core/contracts/outbound'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { quietLog } from '../../../support/quiet-log'
import { standInResolver } from '../../../support/stand-in-resolver'

const tls = (name: string) => readFileSync(join(import.meta.dir, '../../../fixtures/tls', name), 'utf8')
const within = { maxBytes: 10_000, timeoutMs: 20_000 }
const bomb = gzipSync(Buffer.alloc(100_000_000))

let plain: Bun.Server<undefined>
let secure: Bun.Server<undefined>
const seen: (string | null)[][] = []
const answers: Record<string, (request: Request) => Response> = {
  '/json': () => Response.json({ ok: true }),
  '/echo': (request) =>
    Response.json({ host: request.headers.get('host'), secret: request.headers.get('authorization') }),
  '/gzip': () =>
    new Response(gzipSync('{"zipped":true}'), {
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/json; charset=utf-8' },
    }),
  '/bomb': () => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }),
  '/damaged': () => new Response('not gzip', { headers: { 'content-encoding': 'gzip' } }),
  '/twice': () => new Response(gzipSync(gzipSync('x')), { headers: { 'content-encoding': 'gzip, gzip' } }),
  '/brotli': () =>
    new Response(brotliCompressSync('{"zipped":true}'), { headers: { 'content-encoding': 'br' } }),
  '/deflate': () =>
    new Response(deflateSync('{"zipped":true}'), { headers: { 'content-encoding': 'deflate' } }),
  '/unknown': () => new Response('x', { headers: { 'content-encoding': 'x-none' } }),
  '/brotli-bomb': () =>
    new Response(brotliCompressSync(Buffer.alloc(2_000_000)), { headers: { 'content-encoding': 'br' } }),
  '/large': () => new Response('x'.repeat(10_001)),
  '/full': () => new Response('x'.repeat(10_000)),
  '/endless': () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1000)) })),
  '/to-json': () => Response.redirect('/json', 302),
  '/to-other': () => Response.redirect(`https://other.example:${secure.port}/echo`, 307),
  '/to-inside': () => Response.redirect('https://inside.example/', 302),
  '/to-metadata': () => Response.redirect('http://169.254.169.254/latest/meta-data/', 302),
  '/to-file': () => Response.redirect('file:///etc/passwd', 302),
  '/circle': () => Response.redirect('/circle', 302),
}
const fetchOf = (request: Request) => {
  seen.push(['content-type', 'accept'].map((name) => request.headers.get(name)).concat(request.method))
  return answers[new URL(request.url).pathname]?.(request) ?? new Response('nothing', { status: 404 })
}
beforeAll(() => {
  const on = { port: 0, hostname: '127.0.0.1', fetch: fetchOf }
  plain = Bun.serve(on)
  secure = Bun.serve({ ...on, tls: { cert: tls('cert.pem'), key: tls('key.pem') } })
})
afterAll(async () => {
  await plain.stop(true)
  await secure.stop(true)
})

function outside({ allowLoopback = true, ca = tls('cert.pem') } = {}) {
  const resolver = standInResolver()
  for (const name of ['service.example', 'other.example', 'wrong.example']) {
    resolver.setAddresses(name, ['127.0.0.1'])
  }
  const fetched = createSafeFetch({ dns: resolver, log: quietLog, allowLoopback, ...(ca ? { ca } : {}) })
  return {
    resolver,
    get: (url: string, options: Partial<SafeFetchOptions> = {}) => fetched(url, { ...within, ...options }),
    service: (path: string, options: Partial<SafeFetchOptions> = {}) =>
      fetched(`https://service.example:${secure.port}${path}`, { ...within, ...options }),
  }
}
const text = (body: Uint8Array) => new TextDecoder().decode(body)
const fault = (code: string) => ({ name: 'ServiceFault', code })

describe('a host that may be asked', () => {
  test('is not even looked up where its address alone is refused', async () => {
    const looked: string[] = []
    const dns = { addresses: async (name: string) => [looked.push(name) && '127.0.0.1'].map(String) }
    const asks = (allowLoopback: boolean) => {
      const get = createSafeFetch({ dns, log: quietLog, allowLoopback })
      return (url: string) => get(url, within).then(String, ({ code }) => code)
    }
    const refused = [
      'http://a.example/',
      'https://a.example:8080/',
      'ftp://a.example/',
      'https://u@a.example/',
      'a',
    ]
    for (const url of [...refused, `https://a.example/${'x'.repeat(2_031)}`])
      expect([url, await asks(false)(url)]).toEqual([url, 'refused'])
    for (const url of ['ftp://a.example/', 'file:///etc/passwd', 'https://u@a.example/'])
      expect([url, await asks(true)(url)]).toEqual([url, 'refused'])
    expect(looked).toEqual([])
    await asks(false)(`https://a.example/${'x'.repeat(2_030)}`)
    expect(looked).toEqual(['a.example'])
  })

  test('is tried at three of its addresses at most, in their order', async () => {
    const at = async (...addresses: string[]) => {
      const get = createSafeFetch({
        dns: { addresses: async () => addresses },
        log: quietLog,
        allowLoopback: true,
      })
      return text((await get(`http://service.example:${plain.port}/json`, within)).body)
    }
    // Nobody listens at these.
    const one = '127.0.0.2'
    const two = '127.0.0.3'
    const three = '127.0.0.4'
    expect(await at(one, two, '127.0.0.1')).toBe('{"ok":true}')
    expect(await at('127.0.0.1', one, two, three)).toBe('{"ok":true}')
    await expect(at(one, two, three, '127.0.0.1')).rejects.toMatchObject(fault('unreachable'))
  })

  test('is reached at the address that was looked up, under its own name', async () => {
    const { service, resolver } = outside()
    const answer = await service('/echo', { headers: { Host: 'evil.example', Authorization: 'Bearer x' } })
    expect(answer.status).toBe(200)
    expect(JSON.parse(text(answer.body))).toEqual({
      host: `service.example:${secure.port}`,
      secret: 'Bearer x',
    })
    expect(resolver.asked).toEqual(['service.example'])
  })

  test('is asked past an address that does not answer', async () => {
    const { get, resolver } = outside()
    resolver.setAddresses('two.example', ['::1', '127.0.0.1'])
    expect((await get(`http://two.example:${plain.port}/json`)).status).toBe(200)
  })

  test('is sent what is to be sent', async () => {
    const { service } = outside()
    await service('/json', {
      method: 'POST',
      body: 'x=1',
      accept: 'application/json',
      headers: { 'content-type': 'text/plain' },
    })
    expect(seen.at(-1)).toEqual(['text/plain', 'application/json', 'POST'])
  })

  test('answers other than success are handed back', async () => {
    expect((await outside().service('/missing', { accept: 'application/json' })).status).toBe(404)
  })

  test('must have a certificate of that name, by somebody who is trusted', async () => {
    const { get } = outside()
    await expect(get(`https://wrong.example:${secure.port}/json`)).rejects.toMatchObject(fault('certificate'))
    const { service } = outside({ ca: '' })
    await expect(service('/json')).rejects.toMatchObject(fault('certificate'))
    // A connection that was trusted is not used again for another name.
    await outside().service('/json')
    await expect(outside().get(`https://wrong.example:${secure.port}/json`)).rejects.toMatchObject(
      fault('certificate'),
    )
  })

  test('is not asked through a proxy of the environment', async () => {
    const before = process.env.https_proxy
    process.env.https_proxy = 'http://127.0.0.1:1'
    try {
      expect((await outside().service('/json')).status).toBe(200)
    } finally {
      if (before === undefined) delete process.env.https_proxy
      else process.env.https_proxy = before
    }
  })
})

describe('what comes back', () => {
  test.each(['/gzip', '/deflate', '/brotli'])(
    '%s is inflated, also if it was not asked for',
    async (path) => {
      const { body } = await outside().service(path, { accept: 'application/json' })
      expect(text(body)).toBe('{"zipped":true}')
    },
  )

  test('may be as large as was said and no larger, inflated too', async () => {
    const { service } = outside()
    expect((await service('/full')).body.length).toBe(10_000)
    for (const path of ['/large', '/endless', '/bomb', '/brotli-bomb']) {
      await expect(service(path)).rejects.toMatchObject(fault('too_large'))
    }
    const before = process.memoryUsage().rss
    await expect(service('/bomb', { maxBytes: 100_000 })).rejects.toMatchObject(fault('too_large'))
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 2 ** 20)
  })

  test.each(['/damaged', '/twice', '/unknown'])('%s is no answer', async (path) => {
    await expect(outside().service(path)).rejects.toMatchObject(fault('malformed'))
  })
})

describe('redirects', () => {
  test('come back as they are unless they are to be followed', async () => {
    const answer = await outside().service('/to-json')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/json'])
  })

  test('are followed as often as was said', async () => {
    const { service } = outside()
    const answer = await service('/to-json', { redirects: 1 })
    expect([answer.status, new URL(answer.url).pathname]).toEqual([200, '/json'])
    await expect(service('/circle', { redirects: 3 })).rejects.toMatchObject(fault('redirect'))
    await expect(service('/to-json', { redirects: 3, method: 'POST' })).rejects.toMatchObject(
      fault('redirect'),
    )
  })

  test('to another host take no headers along', async () => {
    const asked = { redirects: 1, headers: { authorization: 'Bearer x' } }
    const { body } = await outside().service('/to-other', asked)
    expect(JSON.parse(text(body))).toEqual({ host: `other.example:${secure.port}`, secret: null })
  })

  test.each(['/to-inside', '/to-metadata', '/to-file'])(
    '%s is refused like a first address',
    async (path) => {
      const { service, resolver } = outside()
      resolver.setAddresses('inside.example', ['10.0.0.1'])
      await expect(service(path, { redirects: 3 })).rejects.toMatchObject(fault('refused'))
    },
  )

  test('do not reach a name that has moved inside meanwhile', async () => {
    const { get, resolver } = outside()
    resolver.setAddresses('moving.example', ['127.0.0.1'], ['192.168.0.1'])
    const first = `http://moving.example:${plain.port}/to-json`
    await expect(get(first, { redirects: 1 })).rejects.toMatchObject(fault('refused'))
  })
})

describe('a name is looked up once', () => {
  test('so that a second answer of the DNS counts for nothing', async () => {
    const { get, resolver } = outside()
    resolver.setAddresses('rebinding.example', ['127.0.0.1'], ['10.0.0.1'])
    expect((await get(`http://rebinding.example:${plain.port}/json`)).status).toBe(200)
    expect(resolver.asked).toEqual(['rebinding.example'])
  })
})

describe('an address that must not be asked', () => {
  test.each([
    'http://service.example/',
    'ftp://service.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user@service.example/',
    'https://:secret@service.example/',
    'https://service.example:22/',
    'https://service.example:8443/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://0177.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://１２７.０.０.１/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://mixed.example/',
    'https://odd.example/',
    `https://service.example/${'x'.repeat(3_000)}`,
    'no address',
  ])('%s', async (url) => {
    const { get, resolver } = outside({ allowLoopback: false })
    resolver.setAddresses('localhost', ['127.0.0.1'])
    resolver.setAddresses('mixed.example', ['1.1.1.1', '10.0.0.1'])
    resolver.setAddresses('odd.example', ['fe80::1%1'])
    const before = seen.length
    const refusal = await get(url).catch((error) => error)
    expect(refusal).toMatchObject(fault('refused'))
    expect(refusal.message).not.toMatch(/127\.|10\.0|169\.254/)
    expect(seen.length).toBe(before)
  })

  test('whatever private address its name has, alone or among public ones', async () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const inside = fc.oneof(
      fc.tuple(fc.constantFrom('10', '127', '0'), octet, octet, octet).map((parts) => parts.join('.')),
      fc.tuple(fc.constantFrom('192.168', '169.254', '198.18'), octet, octet).map((parts) => parts.join('.')),
      fc
        .tuple(fc.constantFrom('fc', 'fd', 'fe8', 'ff0'), octet)
        .map(([head, n]) => `${head.padEnd(4, '0')}::${n.toString(16)}`),
      octet.map((n) => `::ffff:10.0.0.${n}`),
    )
    const { get, resolver } = outside({ allowLoopback: false })
    await fc.assert(
      fc.asyncProperty(inside, fc.boolean(), async (address, among) => {
        resolver.setAddresses('evil.example', among ? ['1.1.1.1', address] : [address])
        const refusal = await get('https://evil.example/').catch((error) => error)
        expect(refusal).toMatchObject(fault('refused'))
      }),
      { numRuns: 300 },
    )
  })

  test('loopback on a port of its own does not open the rest of the private ranges', async () => {
    const { get, resolver } = outside()
    resolver.setAddresses('inside.example', ['10.0.0.1'])
    resolver.setAddresses('half.example', ['127.0.0.1', '10.0.0.1'])
    for (const url of ['https://inside.example/', 'https://half.example/', 'http://inside.example:8080/']) {
      await expect(get(url)).rejects.toMatchObject(fault('refused'))
    }
  })
})

describe('a host that does not answer as it should', () => {
  /** A server that says what it likes. */
  async function rude(answer: (socket: Socket) => void) {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.once('data', () => answer(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as { port: number }
    const stop = () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
    return { url: `http://service.example:${port}/`, stop }
  }
  const trickle = (head: string) => (socket: Socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write('x'), 50)
    socket.on('close', () => clearInterval(timer))
  }
  const flood = (socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    for (let n = 0; n < 2_000; n++) socket.write(`x-${n}: ${'a'.repeat(1_000)}\r\n`)
    socket.end('\r\n')
  }
  const cases: readonly [string, string, (socket: Socket) => void][] = [
    ['silence', 'timeout', () => {}],
    ['a body that never ends', 'timeout', trickle('HTTP/1.1 200 OK\r\ncontent-length: 9000\r\n\r\n')],
    ['a head that never ends', 'timeout', trickle('HTTP/1.1 200 OK\r\nx-slow: ')],
    [
      'a size that is said to be too large',
      'too_large',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n'),
    ],
    ['no HTTP', 'malformed', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
    ['a flood of headers', 'malformed', flood],
    ['a line cut off', 'unreachable', (socket) => socket.destroy()],
  ]
  test.each(cases)('%s is a fault: %s', async (_, kind, answer) => {
    const { url, stop } = await rude(answer)
    // What ends by itself must not lose against the limit on a busy machine.
    const timeoutMs = kind === 'timeout' ? 500 : 20_000
    await expect(outside().get(url, { timeoutMs })).rejects.toMatchObject(fault(kind))
    stop()
  })

  test('nobody listening, no such name', async () => {
    const { get } = outside()
    await expect(get('http://service.example:1/')).rejects.toMatchObject(fault('unreachable'))
    await expect(get('https://nowhere.example/')).rejects.toMatchObject(fault('unresolvable'))
  })

  test('an address without a name is not written down', async () => {
    const said: unknown[] = []
    const log = { ...quietLog, debug: (...words: unknown[]) => void said.push(words) }
    const get = createSafeFetch({ dns: { addresses: async () => ['127.0.0.1'] }, log, allowLoopback: true })
    await expect(get('http://127.0.0.1:1/', within)).rejects.toMatchObject(fault('unreachable'))
    await expect(get('http://service.example:1/', within)).rejects.toMatchObject(fault('unreachable'))
    expect(said).toHaveLength(2)
    expect(JSON.stringify(said)).toContain('service.example')
    expect(JSON.stringify(said)).not.toContain('127.0.0.1')
  })

  test('a DNS that does not answer is waited for no longer than the rest', async () => {
    const never = new Promise<string[]>(() => {})
    const get = createSafeFetch({ dns: { addresses: () => never }, log: quietLog })
    const asked = get('https://service.example/', { ...within, timeoutMs: 300 })
    await expect(asked).rejects.toMatchObject(fault('timeout'))
  })
})
