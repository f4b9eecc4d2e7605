import { expect, test } from 'bun:test'
import { type FaultKind, ServiceFault } from '../../../core/contracts/service-fault'
import { createReach } from '../../../core/outbound/reach'

const opened = () => {
  const clock = { ms: 0 }
  const reach = createReach(() => new Date(clock.ms))
  const fail = (kind: FaultKind, service = 'api.example.com') =>
    reach
      .watched(service, () => Promise.reject(new ServiceFault(kind, 'no')))
      .catch((error: unknown) => error)
  return { clock, reach, fail }
}

test('a service that fails three times in a row is failing since the first time, until it answers', async () => {
  const { clock, reach, fail } = opened()
  for (const _ of [1, 2]) await fail('transient')
  expect(reach.failing()).toEqual([])
  clock.ms += 60_000
  expect(await fail('transient')).toBeInstanceOf(ServiceFault)
  expect(reach.failing()).toEqual([{ service: 'api.example.com', since: new Date(0).toISOString() }])
  expect(await reach.watched('api.example.com', async () => 7)).toBe(7)
  expect(reach.failing()).toEqual([])
})

test.each(['rate', 'quota', 'permanent', 'unsupported', 'auth'] as FaultKind[])(
  'a refusal is an answer: %s',
  async (kind) => {
    const { reach, fail } = opened()
    for (const _ of [1, 2]) await fail('transient')
    await fail(kind)
    await fail('transient')
    expect(reach.failing()).toEqual([])
  },
)

test('an error of our own says nothing about the service', async () => {
  const { reach } = opened()
  for (const _ of [1, 2, 3])
    await reach.watched('a', () => Promise.reject(new TypeError('bug'))).catch(() => {})
  expect(reach.failing()).toEqual([])
})

test('the names that are remembered are bounded', async () => {
  const { reach, fail } = opened()
  for (let n = 0; n < 250; n++) for (const _ of [1, 2, 3]) await fail('transient', `s${n}.example`)
  expect(reach.failing()).toHaveLength(200)
})
