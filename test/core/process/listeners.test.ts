import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { openListener } from '../../../core/process/listeners'

const at = (port: number, path = '/') => `http://127.0.0.1:${port}${path}`

test('a port answers 503 with Retry-After until its answer stands', async () => {
  const listener = openListener('PORT', '127.0.0.1', 0)
  const early = await fetch(at(listener.port))
  expect(early.status).toBe(503)
  expect(early.headers.get('retry-after')).toBe('1')
  listener.open((request, peer) =>
    Response.json({ path: new URL(request.url).pathname, address: peer(request) }),
  )
  expect(await (await fetch(at(listener.port, '/x'))).json()).toEqual({ path: '/x', address: '127.0.0.1' })
  await listener.close(100)
})

test('a port that is taken is named with the setting that changes it', async () => {
  const listener = openListener('PORT', '127.0.0.1', 0)
  expect(() => openListener('INGEST_PORT', '127.0.0.1', listener.port)).toThrow(
    `Port ${listener.port} on 127.0.0.1 is taken by another program. Stop it, or set INGEST_PORT to another port.`,
  )
  await listener.close(0)
})

test('an address that is none of this machine is said to be none', () => {
  expect(() => openListener('PORT', '192.0.2.1', 0)).toThrow('This machine has no address 192.0.2.1')
})

test('a request without a Host, and one that fails, are answered and printed nowhere', async () => {
  const script = `
    import { openListener } from './core/process/listeners'
    const listener = openListener('PORT', '127.0.0.1', 0)
    listener.open((request) => { throw new Error(new URL(request.url).pathname) })
    const ask = (text) => new Promise((resolve) => {
      let answer = ''
      Bun.connect({ hostname: '127.0.0.1', port: listener.port, socket: {
        open: (socket) => void socket.write(text),
        data: (socket, data) => { answer += data; if (answer.includes('}')) { socket.end(); resolve(answer) } },
      } })
    })
    const path = '/app/link?token=rnw_link_secret'
    const answers = [await ask('GET ' + path + ' HTTP/1.0\\r\\n\\r\\n'), await ask('GET ' + path + ' HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n')]
    console.log(JSON.stringify(answers.map((text) => text.slice(9, 12))))
    process.exit(0)`
  const { stdout, stderr } = Bun.spawnSync([process.execPath, '-e', script], {
    cwd: join(import.meta.dir, '../../..'),
  })
  expect(JSON.parse(String(stdout))).toEqual(['400', '500'])
  expect(`${stdout}${stderr}`).not.toContain('rnw_link_secret')
})

test.each(['GET /readyz', 'GET /livez', 'HEAD /healthz', 'OPTIONS /'])(
  'a check of a load balancer without a Host header is answered: %s',
  async (line) => {
    const listener = openListener('PORT', '127.0.0.1', 0)
    const seen: string[] = []
    listener.open((request, peer) => {
      seen.push(
        `${request.method} ${new URL(request.url).pathname} ${request.headers.get('host')} ${peer(request)}`,
      )
      return new Response('fine')
    })
    expect(await statusOf(listener.port, `${line} HTTP/1.0`)).toBe('200')
    expect(seen).toEqual([`${line} null null`])
    await listener.close(100)
  },
)

test.each(['GET //livez', 'GET /livez?x=1', 'GET /api/surface', 'GET /'.padEnd(9, '/')])(
  'nothing else is, without one: %s',
  async (line) => {
    const listener = openListener('PORT', '127.0.0.1', 0)
    listener.open(() => new Response('fine'))
    expect(await statusOf(listener.port, `${line} HTTP/1.0`)).toBe('400')
    await listener.close(100)
  },
)

/** Sends one line as a plain check does, and returns the status. */
const statusOf = (port: number, line: string) =>
  new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\r\n\r\n`))
    socket.on('data', (bytes) => {
      text += bytes
      if (text.includes('\r\n')) {
        socket.destroy()
        resolve(text.slice(9, 12))
      }
    })
    socket.on('error', reject)
  })

test('closing waits for what is being answered, and no longer than it may', async () => {
  const listener = openListener('PORT', '127.0.0.1', 0)
  const gate = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  listener.open(async () => {
    asked.resolve()
    await gate.promise
    return new Response('done')
  })
  const answer = fetch(at(listener.port)).then((response) => response.text())
  await asked.promise
  const closing = listener.close(2_000)
  gate.resolve()
  expect(await answer).toBe('done')
  await closing

  const stuck = openListener('PORT', '127.0.0.1', 0)
  const reached = Promise.withResolvers<void>()
  stuck.open(() => {
    reached.resolve()
    return new Promise(() => {})
  })
  const lost = fetch(at(stuck.port)).catch(() => 'cut')
  await reached.promise
  await stuck.close(50)
  expect(await lost).toBe('cut')
})
