import type { ServerFacts, TenantFacts } from './facts'

/** One way in: what a request takes, and whether it was answered as it should be. */
export interface Door {
  readonly name: string
  /** Milliseconds until the whole answer was there, and its status; 0 where there was none. */
  knock(signal?: AbortSignal): Promise<{ readonly ms: number; readonly status: number }>
}

const broad = encodeURIComponent('{"notes":{"$contains":"nowhere to be found"}}')
const worst = encodeURIComponent(
  JSON.stringify({
    $or: Array.from({ length: 8 }, (_, n) => ({ notes: { $contains: `plumber nowhere ${n}` } })),
  }),
)

/** The doors of a tenant. The loud one asks for more with each request. */
export function doorsOf({ port }: ServerFacts, tenant: TenantFacts, isLoud: boolean): Door[] {
  const origin = `http://127.0.0.1:${port}`
  const api = { authorization: `Bearer ${tenant.key}` }
  let turn = 0
  const person = () => ({ cookie: tenant.cookies[turn++ % tenant.cookies.length] ?? '' })
  const ask = (name: string, path: string, init: () => RequestInit): Door => ({
    name,
    async knock(signal) {
      const began = performance.now()
      try {
        const answer = await fetch(`${origin}${path}`, {
          ...init(),
          redirect: 'manual',
          ...(signal ? { signal } : {}),
        })
        await answer.arrayBuffer()
        return { ms: performance.now() - began, status: answer.status }
      } catch {
        return { ms: performance.now() - began, status: 0 }
      }
    },
  })
  const rpc = (name: string, args: object) => ({
    method: 'POST',
    headers: { ...api, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const limit = isLoud ? 1_000 : 50
  return [
    ask('list', `/api/entities/Lead?limit=${limit}`, () => ({ headers: api })),
    ask('filter', `/api/entities/Lead?q=${isLoud ? worst : broad}`, () => ({ headers: api })),
    ask('daily rows', `/api/entities/AiTrafficDaily?limit=${limit}`, () => ({ headers: api })),
    ask('page', '/app/traffic', () => ({ headers: person() })),
    ask('overview', '/app', () => ({ headers: person() })),
    ask('page data', '/app/data/traffic.json', () => ({ headers: person() })),
    ask('mcp', '/api/mcp', () => rpc('list_records', { entity: 'Lead', limit: isLoud ? 100 : 25 })),
    ask('job', `/bench/job?workspace=${tenant.workspace}&ms=${isLoud ? 3_000 : 5}`, () => ({
      method: 'POST',
    })),
    isLoud ? held(origin, person) : firstWord(origin, person),
    ...(isLoud ? [signIn(origin)] : []),
  ]
}

/** A stream of live updates until its first bytes. */
const firstWord = (origin: string, person: () => { cookie: string }): Door => ({
  name: 'stream',
  async knock() {
    const began = performance.now()
    const leaving = new AbortController()
    try {
      const answer = await fetch(`${origin}/app/events/traffic`, {
        headers: person(),
        redirect: 'manual',
        signal: leaving.signal,
      })
      await answer.body?.getReader().read()
      return { ms: performance.now() - began, status: answer.status }
    } catch {
      return { ms: performance.now() - began, status: 0 }
    } finally {
      leaving.abort()
    }
  },
})

/** A stream that is kept open for some seconds. */
const held = (origin: string, person: () => { cookie: string }): Door => ({
  name: 'stream',
  async knock(signal) {
    const began = performance.now()
    const end = AbortSignal.timeout(5_000)
    try {
      const answer = await fetch(`${origin}/app/events/traffic`, {
        headers: person(),
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, end]) : end,
      })
      if (answer.status === 200) await answer.text()
      return { ms: performance.now() - began, status: answer.status }
    } catch {
      return { ms: performance.now() - began, status: 200 }
    }
  },
})

/** A sign-in with a wrong password. */
const signIn = (origin: string): Door => ({
  name: 'sign-in',
  async knock(signal) {
    const began = performance.now()
    const page = await fetch(`${origin}/app/sign-in`, signal ? { signal } : {}).catch(() => null)
    const html = (await page?.text().catch(() => '')) ?? ''
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const cookie = page?.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const answer = await fetch(`${origin}/app/sign-in`, {
      method: 'POST',
      headers: {
        cookie,
        origin: 'http://localhost:3000',
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `198.51.100.${Math.floor(began) % 250}`,
      },
      body: new URLSearchParams({
        csrf,
        email: `nobody${began}@example.org`,
        password: 'wrong horse staple',
      }),
      ...(signal ? { signal } : {}),
    }).catch(() => null)
    await answer?.text().catch(() => '')
    return { ms: performance.now() - began, status: answer?.status ?? 0 }
  },
})
