import { expect, test } from 'bun:test'
import { type Ingest, Refusal } from 'renown/contracts'
import { createControl } from '../../../ingest/control/control'

/** A control over an ingest whose calls are noted. */
function controlOf(answers: Record<string, unknown> = {}) {
  const calls: unknown[] = []
  const logged: unknown[] = []
  const noted =
    (name: string) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given])
      const answer = answers[name]
      if (answer instanceof Error) throw answer
      return answer ?? { of: name }
    }
  const ingest = {
    signals: noted('signals'),
    state: noted('state'),
    health: noted('health'),
    flush: noted('flush'),
    registry: noted('registry'),
    newAgents: noted('newAgents'),
    importBatch: noted('importBatch'),
    ranges: { status: noted('status'), refresh: noted('refresh') },
  } as unknown as Ingest
  const answer = createControl({
    instance: 'one',
    ingest: Promise.resolve(ingest),
    onReport: noted('onReport') as never,
    log: {
      debug() {},
      info() {},
      warn() {},
      error: (...said) => void logged.push(said),
    },
  })
  const ask = async (route: string, body?: string) => {
    const [method = '', path = ''] = route.split(' ')
    const response = await answer(new Request(`http://ingest${path}`, { method, ...(body ? { body } : {}) }))
    return { status: response.status, body: await response.json() }
  }
  return { ask, calls, logged }
}

test.each([
  ['GET /up', [], { instance: 'one' }],
  ['GET /signals?site=s%201', [['signals', 's 1']], { of: 'signals' }],
  ['GET /signals', [['signals', '']], { of: 'signals' }],
  ['GET /ranges', [['status']], { of: 'status' }],
  ['POST /ranges/refresh', [['refresh']], { of: 'refresh' }],
  ['GET /registry', [['registry']], { of: 'registry' }],
  ['GET /new-agents?after=7', [['newAgents', 7]], { of: 'newAgents' }],
  ['GET /new-agents?after=seven', [['newAgents', 0]], { of: 'newAgents' }],
  ['GET /new-agents', [['newAgents', 0]], { of: 'newAgents' }],
  ['GET /state', [['state']], { of: 'state' }],
  ['GET /health', [['health']], { of: 'health' }],
  ['POST /rotate', [['flush']], {}],
] as const)('%s asks the ingest once, and returns its answer', async (route, calls, body) => {
  const control = controlOf()
  expect(await control.ask(route)).toEqual({ status: 200, body })
  expect<unknown>(control.calls).toEqual(calls)
})

test('an import passes its site, its batch and its bytes on', async () => {
  const control = controlOf()
  expect(await control.ask('POST /import?site=s1&batch=b1', 'a line')).toMatchObject({ status: 200 })
  expect(control.calls).toEqual([['importBatch', 's1', 'b1', new TextEncoder().encode('a line')]])
})

const news = {
  flushed: [{ hits: 1, elsewhere: 2, segment: 's', ms: 3 }],
  fault: { of: 'gateway', reason: 'It is away' },
}

test('a report is passed on whole, of both kinds of faults', async () => {
  for (const of of ['gateway', 'clickhouse']) {
    const control = controlOf()
    const report = { ...news, fault: { ...news.fault, of } }
    expect(await control.ask('POST /news', JSON.stringify(report))).toEqual({
      status: 200,
      body: { instance: 'one' },
    })
    expect(control.calls).toEqual([['onReport', report]])
  }
})

test('a report passes on the sites, and answers only when they are taken', async () => {
  const control = controlOf()
  const report = { ...news, sites: { sites: [] } }
  expect(await control.ask('POST /news', JSON.stringify(report))).toMatchObject({ status: 200 })
  expect(control.calls).toEqual([['onReport', report]])
  const failing = controlOf({ onReport: new Error('No room') })
  expect(await failing.ask('POST /news', JSON.stringify(report))).toMatchObject({ status: 500 })
})

test.each([
  { ...news, flushed: undefined },
  { ...news, fault: undefined },
  { ...news, fault: { of: 'other', reason: 'x' } },
  { ...news, fault: { of: 'gateway' } },
  ...['hits', 'elsewhere', 'segment', 'ms'].map((name) => ({
    ...news,
    flushed: [{ ...news.flushed[0], [name]: undefined }],
  })),
])('a report that lacks a part is refused and logged: %j', async (report) => {
  const control = controlOf()
  expect((await control.ask('POST /news', JSON.stringify(report))).status).toBe(500)
  expect(control.calls).toEqual([])
  expect(control.logged).toHaveLength(1)
})

test('a refusal keeps its code and details, and is not logged', async () => {
  const details = { retryAfterSeconds: 3 }
  const control = controlOf({ state: new Refusal('not_found', 'There is none.', details) })
  expect(await control.ask('GET /state')).toEqual({
    status: 404,
    body: { refusal: { code: 'not_found', message: 'There is none.', details } },
  })
  expect(control.logged).toEqual([])
})

test('a failure is logged with its path, and an unknown address has no answer', async () => {
  const control = controlOf({ health: new Error('It broke') })
  expect(await control.ask('GET /health')).toEqual({ status: 500, body: { message: 'It broke' } })
  expect(control.logged).toEqual([[expect.any(String), { path: '/health', error: 'It broke' }]])
  const unknown = { status: 404, body: { message: 'no such address: /none' } }
  expect(await control.ask('GET /none')).toEqual(unknown)
  expect((await control.ask('POST /health')).status).toBe(404)
})
