import { afterEach, describe, expect, jest, test } from 'bun:test'
import { createHealth, type HealthDeps } from '../../../core/http/health'

/** Health of stores that answer, with what a test changes, and a clock that it moves. */
function healthOf(more: Partial<HealthDeps> = {}) {
  let ms = Date.parse('2026-11-28T12:00:00.000Z')
  const asked = { documents: 0, columns: 0 }
  const health = createHealth({
    documents: { ping: async () => void asked.documents++ },
    columns: { ping: async () => void asked.columns++ },
    now: () => new Date(ms),
    streams: () => ({ open: 0, max: 10, ended: 0, refused: 0 }),
    failing: () => [],
    ...more,
  })
  const later = (byMs: number) => {
    ms += byMs
  }
  return { health, asked, later }
}
const read = async (answer: Promise<Response> | Response) => (await answer).json()
const away = () => Promise.reject(new Error('away'))

describe('health', () => {
  test('says what of the limits of the process is in use', async () => {
    const { health } = healthOf({
      documents: {
        ping: async () => undefined,
        load: () => [{ pool: 'connections', running: 3, waiting: 2, slots: 50 }],
      },
      columns: {
        ping: async () => undefined,
        load: () => [{ pool: 'reads', running: 1, waiting: 0, slots: 10 }],
      },
    })
    const samples = (await health.metrics()).flatMap(({ name, samples: all }) =>
      name === 'renown_store_work' || name === 'renown_store_slots'
        ? all.map(({ labels, value }) => [name, ...Object.values(labels ?? {}), value].join(' '))
        : [],
    )
    expect(samples).toEqual([
      'renown_store_work documents connections running 3',
      'renown_store_work documents connections waiting 2',
      'renown_store_work columns reads running 1',
      'renown_store_work columns reads waiting 0',
      'renown_store_slots documents connections 50',
      'renown_store_slots columns reads 10',
    ])
  })

  test.each([
    [0, 'ok'],
    [1, 'ok'],
    [2, 'full'],
    [3, 'full'],
  ])('with %i of 2 streams is ready and %s', async (open, status) => {
    const { health } = healthOf({ streams: () => ({ open, max: 2, ended: 5, refused: 5 }) })
    const answer = await health.ready()
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await answer.json()).toEqual({ status, streams: { open, max: 2 } })
  })

  test('asks each store once a second, whatever the clock does, also when it is away', async () => {
    const { health, asked, later } = healthOf()
    await health.ready()
    later(999)
    await Promise.all([health.ready(), health.details(), health.metrics()])
    expect(asked).toEqual({ documents: 1, columns: 1 })
    later(1)
    await health.details()
    expect(asked).toEqual({ documents: 2, columns: 1 })
    later(999)
    await health.details()
    expect(asked).toEqual({ documents: 2, columns: 2 })
    later(-2_000)
    await health.details()
    expect(asked).toEqual({ documents: 3, columns: 3 })
    let pings = 0
    const gone = healthOf({ documents: { ping: () => away().finally(() => pings++) } })
    for (let n = 0; n < 3; n++) await expect(gone.health.ready()).rejects.toThrow('away')
    expect(pings).toBe(1)
    gone.later(1_000)
    await expect(gone.health.details()).rejects.toThrow('away')
    expect(pings).toBe(2)
  })

  test('says since when ClickHouse is away, until it was there again, and which services fail', async () => {
    let isAway = true
    const since = '2026-11-28T11:00:00.000Z'
    const failing = [{ service: 'model', since }]
    const columns = { ping: async () => (isAway ? await away() : undefined) }
    const { health, later } = healthOf({ columns, failing: () => failing.slice() })
    const lists = async () => (await read(health.details())) as { status: string; degraded?: object[] }
    const first = { what: 'columns', since: '2026-11-28T12:00:00.000Z', means: expect.any(String) }
    const model = { what: 'model', since, means: expect.any(String) }
    expect(await lists()).toEqual({ status: 'degraded', degraded: [first, model] })
    later(60_000)
    expect((await lists()).degraded).toEqual([first, model])
    isAway = false
    later(1_000)
    expect((await lists()).degraded).toEqual([model])
    failing.pop()
    expect(await lists()).toEqual({ status: 'ok' })
    isAway = true
    later(1_000)
    expect((await lists()).degraded).toEqual([{ ...first, since: '2026-11-28T12:01:02.000Z' }])
  })

  test('is alive without any store, and its numbers say which one is there', async () => {
    const { health } = healthOf({
      documents: { ping: away },
      columns: { ping: away },
      failing: () => [{ service: 'a', since: '' }],
    })
    expect(await read(health.alive())).toEqual({ status: 'ok' })
    const numbers = async (of: typeof health) =>
      (await of.metrics()).flatMap(({ name, samples }) =>
        samples.length === 0 || name === 'renown_store_seconds'
          ? []
          : [[name, ...samples.map(({ value }) => value)]],
      )
    const named = (up: number, columns: number, failed: number) => [
      ['renown_documents_up', up],
      ['renown_columns_up', columns],
      ['renown_services_failing', failed],
    ]
    expect(await numbers(health)).toEqual(named(0, 0, 1))
    expect(await numbers(healthOf().health)).toEqual(named(1, 1, 0))
    const seconds = (await healthOf().health.metrics()).find(({ name }) => name === 'renown_store_seconds')
    expect(seconds?.samples.map(({ labels }) => labels?.store)).toEqual(['documents', 'columns'])
    for (const { value } of seconds?.samples ?? []) expect(value).toBeWithin(0, 2)
    expect(await numbers(healthOf({ columns: { ping: away } }).health)).toEqual(named(1, 0, 0))
  })
})

describe('a store that never answers', () => {
  afterEach(() => void jest.useRealTimers())

  test('is away after two seconds, and the answer names it', async () => {
    jest.useFakeTimers()
    const never = { ping: () => new Promise<void>(() => {}) }
    const { health } = healthOf({ documents: never })
    let said = ''
    const asked = health.ready().catch((error: Error) => {
      said = error.message
    })
    jest.advanceTimersByTime(1_999)
    await Promise.resolve()
    expect(said).toBe('')
    jest.advanceTimersByTime(1)
    await asked
    expect(said).toBe('The database does not answer')
  })
})
