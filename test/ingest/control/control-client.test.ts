import { afterEach, beforeEach, expect, jest, spyOn, test } from 'bun:test'
import { createControlClient } from '../../../ingest/control/control-client'

let fetched: ReturnType<typeof spyOn<typeof globalThis, 'fetch'>>
beforeEach(() => {
  fetched = spyOn(globalThis, 'fetch')
})
afterEach(() => {
  jest.useRealTimers()
  fetched.mockRestore()
})

/** Lets what has been answered go on, without any time. */
const settle = async () => {
  for (let turns = 0; turns < 20; turns++) await Promise.resolve()
}
const failing = (code: string, name = 'Error') => Object.assign(new Error(code), { code, name })
const client = (stopping = new AbortController().signal, patienceMs?: number) =>
  createControlClient({ socket: '/run/i.sock', stopping, ...(patienceMs ? { patienceMs } : {}) })

test('a request has its method, path and body, and the socket', async () => {
  fetched.mockImplementation((async () => Response.json({ ok: true })) as never)
  const timeouts = spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.any([]))
  expect(await client()<unknown>('POST /news?a=1', { body: 'x' })).toEqual({ ok: true })
  expect(await client()<unknown>('GET')).toEqual({ ok: true })
  const signal = AbortSignal.any([])
  expect(timeouts.mock.calls).toEqual([[600_000], [600_000]])
  expect(fetched.mock.calls as unknown[]).toStrictEqual([
    ['http://ingest/news?a=1', { unix: '/run/i.sock', method: 'POST', signal, body: 'x' }],
    ['http://ingest/', { unix: '/run/i.sock', method: 'GET', signal }],
  ])
  timeouts.mockRestore()
})

const awayCodes = 'ENOENT ECONNREFUSED ECONNRESET EPIPE FailedToOpenSocket ConnectionRefused ConnectionClosed'
test.each(awayCodes.split(' '))(
  'a request is repeated every 25 ms while the ingest is away: %s',
  async (code) => {
    jest.useFakeTimers()
    fetched.mockImplementation((async () => {
      throw failing(code)
    }) as never)
    let ended: unknown
    void client()<unknown>('GET /health').catch((error) => {
      ended = [error.code, error.details]
    })
    for (const tries of [1, 2, 3]) {
      await settle()
      expect(fetched).toHaveBeenCalledTimes(tries)
      jest.advanceTimersByTime(24)
      await settle()
      expect(fetched).toHaveBeenCalledTimes(tries)
      jest.advanceTimersByTime(1)
    }
    // It is repeated for five seconds, and once more after their end.
    for (let tries = 3; tries <= 200; tries++) {
      await settle()
      expect([ended, fetched.mock.calls.length]).toEqual([undefined, tries + 1])
      jest.advanceTimersByTime(25)
    }
    await settle()
    expect([ended, fetched.mock.calls.length]).toEqual([['unavailable', { retryAfterSeconds: 1 }], 202])
  },
)

test.each(['EACCES', 'XENOENT', 'ENOENTX', 'ECONN', ''])(
  'another error is thrown at once: %s',
  async (code) => {
    fetched.mockImplementation((async () => {
      throw failing(code)
    }) as never)
    await expect(client()('GET /health')).rejects.toMatchObject({ code })
    expect(fetched).toHaveBeenCalledTimes(1)
  },
)

test('an answer that takes too long is an error, also where the ingest is away', async () => {
  fetched.mockImplementation((async () => {
    throw failing('ENOENT', 'TimeoutError')
  }) as never)
  await expect(client()('GET /health')).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('nothing is repeated when the product stops, or when a request has no patience', async () => {
  fetched.mockImplementation((async () => {
    throw failing('ENOENT')
  }) as never)
  await expect(client(AbortSignal.abort())('GET /health')).rejects.toMatchObject({ code: 'unavailable' })
  expect(fetched).toHaveBeenCalledTimes(1)
})

test.each([
  [{ refusal: { code: 'not_found', message: 'None.', details: { retryAfterSeconds: 2 } } }, 404],
  [{ message: 'It broke' }, 500],
  [{}, 502],
])('a failure is thrown with its words: %j', async (body, status) => {
  fetched.mockImplementation((async () => Response.json(body, { status })) as never)
  const expected =
    'refusal' in body ? { name: 'Refusal', ...body.refusal } : { message: expect.stringMatching(/broke|502/) }
  await expect(client()('GET /health')).rejects.toMatchObject(expected)
})
