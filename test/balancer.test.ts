import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith } from './support/needs'
import { environmentOf, findProgram, freePort } from './support/programs'
import { waitFor } from './support/wait-for'

const root = join(import.meta.dir, '..')
const folder = mkdtempSync(join(tmpdir(), 'renown-balancer-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A process behind the balancer, which says who it is. */
function startServer(name: string) {
  const state = { isReady: true, asked: [] as string[] }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      // HAProxy checks by HTTP/1.0 and without a Host.
      const { pathname } = new URL(request.url, 'http://server')
      if (pathname === '/readyz') return new Response(null, { status: state.isReady ? 200 : 503 })
      state.asked.push(`${pathname} ${request.headers.get('x-forwarded-for')}`)
      return new Response(name)
    },
  })
  return { name, state, port: server.port ?? 0, stop: () => server.stop(true) }
}

describeWith('haproxy')('the balancer of compose.several.yaml', () => {
  const servers = ['gateway-one', 'gateway-two', 'ingest-one', 'ingest-two'].map(startServer)
  const named = (name: string) => servers.find((one) => one.name === name) ?? servers[0]
  const ports = { gateways: 0, ingests: 0, feeds: 0 }
  let child: Bun.Subprocess | undefined

  beforeAll(async () => {
    let text = await Bun.file(join(root, 'operations/haproxy.cfg')).text()
    for (const { name, port } of servers)
      text = text.replace(new RegExp(`${name}:300\\d`), `127.0.0.1:${port}`)
    for (const [place, name] of Object.keys(ports).entries()) {
      const port = await freePort()
      Object.assign(ports, { [name]: port })
      text = text.replace(`bind :300${place}`, `bind 127.0.0.1:${port}`)
    }
    expect(text).not.toContain(':300')
    const file = join(folder, 'haproxy.cfg')
    await Bun.write(file, text)
    const program = findProgram('haproxy') ?? ''
    child = Bun.spawn([program, '-db', '-f', file], {
      env: environmentOf(program),
      stdout: 'ignore',
      stderr: 'ignore',
    })
    for (const port of Object.values(ports))
      await waitFor(async () => (await ask(port, '/').catch(() => null))?.status === 200, {
        what: 'the balancer',
      })
  })
  afterAll(async () => {
    child?.kill('SIGKILL')
    await child?.exited
    for (const one of servers) one.stop()
  })

  const ask = (port: number, path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers, keepalive: false })
  const statusAt = async (port: number, path: string) => (await ask(port, path)).status

  test.each(['/internal/upkeep', '/INTERNAL/x', '/metrics', '/Metrics'])(
    'keeps %s of gateways from the outside',
    async (path) => {
      expect(await statusAt(ports.gateways, path)).toBe(404)
    },
  )

  test('passes feeds to processes, and metrics of no ingest to the outside', async () => {
    expect(await statusAt(ports.feeds, '/internal/sites')).toBe(200)
    expect(await statusAt(ports.ingests, '/metrics')).toBe(404)
    expect(await statusAt(ports.gateways, '/internals')).toBe(200)
  })

  test('shares requests between gateways, with the address of the caller', async () => {
    const names = new Set<string>()
    for (let n = 0; n < 4; n++) names.add(await (await ask(ports.gateways, '/app')).text())
    expect([...names].sort()).toEqual(['gateway-one', 'gateway-two'])
    expect(named('gateway-one')?.state.asked).toContain('/app 127.0.0.1')
  })

  test('sends all requests of a token to one ingest, and to the other one while that is out', async () => {
    const to = async (token: string) =>
      (await ask(ports.ingests, '/v1/hits', { authorization: `Bearer ${token}` })).text()
    const tokens = Array.from({ length: 20 }, (_, n) => `rnw_fwd_${n}`)
    const first = await Promise.all(tokens.map(to))
    expect(new Set(first).size).toBe(2)
    expect(await Promise.all(tokens.map(to))).toEqual(first)
    const out = named('ingest-one')
    if (out) out.state.isReady = false
    await waitFor(async () => (await Promise.all(tokens.map(to))).every((name) => name === 'ingest-two'), {
      what: 'all tokens at the other ingest',
    })
    if (out) out.state.isReady = true
    await waitFor(async () => (await Promise.all(tokens.map(to))).join() === first.join(), {
      what: 'each token back at its ingest',
    })
  })

  test('takes a gateway out after one failed check', async () => {
    const out = named('gateway-two')
    if (out) out.state.isReady = false
    await waitFor(
      async () => {
        const names = await Promise.all(
          Array.from({ length: 6 }, async () => (await ask(ports.gateways, '/app')).text()),
        )
        return names.every((name) => name === 'gateway-one')
      },
      { what: 'all requests at the first gateway' },
    )
    if (out) out.state.isReady = true
  })
})
