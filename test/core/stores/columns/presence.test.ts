import { expect, test } from 'bun:test'
import { UnavailableError } from '../../../../core/stores/columns/port'
import { createPresence } from '../../../../core/stores/columns/presence'
import { waitFor } from '../../../support/wait-for'

const times = { doubtMs: 5, probeMs: 5, againMs: 5 }
const never = () => new Promise<never>(() => {})
const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

/** A server whose probes are answered, or not. */
function server(answer: () => Promise<boolean>) {
  let isThere = true
  let probes = 0
  const presence = createPresence(
    'ClickHouse',
    () => {
      probes++
      return isThere ? Promise.resolve(true) : answer()
    },
    times,
  )
  return {
    presence,
    probes: () => probes,
    set: (value: boolean) => {
      isThere = value
    },
  }
}

test.each([
  ['never answers', never],
  ['refuses', () => Promise.resolve(false)],
  ['breaks off', () => Promise.reject(new Error('socket hang up'))],
] as const)(
  'a server whose probe %s ends reads that wait, fails the next ones at once, and comes back',
  async (_, answer) => {
    const { presence, set } = server(answer)
    set(false)
    const aborted = Promise.withResolvers<void>()
    const waiting = presence.watched(false, (away) => {
      away.addEventListener('abort', () => aborted.resolve())
      return never()
    })
    expect(await failureOf(waiting)).toBeInstanceOf(UnavailableError)
    await aborted.promise
    let asked = 0
    const next = presence.watched(false, async () => ++asked)
    expect(await failureOf(next)).toBeInstanceOf(UnavailableError)
    expect(asked).toBe(0)
    set(true)
    await waitFor(async () => (await failureOf(presence.watched(false, async () => 'read'))) === 'read', {
      what: 'the server to be back',
      everyMs: 5,
    })
    presence.close()
  },
)

test('a long statement of a server that answers its probes goes on', async () => {
  const { presence, probes } = server(never)
  const long = presence.watched(false, async () => {
    await waitFor(() => probes() >= 3, { what: 'three probes', everyMs: 2 })
    return 'read'
  })
  expect(await long).toBe('read')
  presence.close()
})

test('a server that falls silent during a long statement is noticed', async () => {
  const { presence, probes, set } = server(never)
  const long = presence.watched(false, never)
  await waitFor(() => probes() >= 2, { what: 'two probes', everyMs: 2 })
  set(false)
  expect(await failureOf(long)).toBeInstanceOf(UnavailableError)
  presence.close()
})

test('patient work goes on while the server is away', async () => {
  const { presence, set } = server(never)
  set(false)
  expect(await failureOf(presence.watched(false, never))).toBeInstanceOf(UnavailableError)
  expect(await presence.watched(true, async () => 'exported')).toBe('exported')
  presence.close()
})

test('an error of a statement makes nobody ask whether the server is there', async () => {
  const { presence, probes } = server(never)
  const wrong = presence.watched(false, () => Promise.reject(new Error('Unknown column')))
  expect(await failureOf(wrong)).toEqual(new Error('Unknown column'))
  expect(probes()).toBe(0)
  const lost = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  expect(await failureOf(presence.watched(false, () => Promise.reject(lost)))).toBe(lost)
  expect(probes()).toBe(1)
  presence.close()
})
