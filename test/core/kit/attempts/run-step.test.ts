import { beforeEach, describe, expect, test } from 'bun:test'
import type { Task } from '../../../../core/contracts/queue'
import { ServiceFault } from '../../../../core/contracts/service-fault'
import type { Where } from '../../../../core/contracts/where'
import type { ActFailure, CallRoute, KeyUse, OnceAct, OpenCall } from '../../../../core/kit/attempts/act'
import {
  type Attempt,
  type AttemptRows,
  defineAttemptStates,
  newAttempt,
} from '../../../../core/kit/attempts/attempt'
import type { ShownResult } from '../../../../core/kit/attempts/proof'
import { afterDeadLetter, runStep } from '../../../../core/kit/attempts/run-step'
import { UnavailableError } from '../../../../core/stores/documents/port'
import { part } from '../../../support/part'

const minute = 60_000
const hour = 60 * minute
const began = Date.parse('2026-11-28T12:00:00.000Z')
const states = defineAttemptStates('Trial')
const rule = { states: { public: 'visible', pending: 'held', trash: 'rejected' }, source: 'test' } as const

const matches = (where: Where, row: Attempt): boolean => {
  if (where.op === 'and') return where.of.every((one) => matches(one, row))
  if (where.op === 'eq') return (row[where.field as keyof Attempt] ?? null) === where.value
  throw new Error(`no ${where.op} here`)
}

/** Attempts in memory. */
let stored: Attempt[] = []
const change = (fits: (row: Attempt) => boolean, changes: Partial<Attempt>): Attempt | null => {
  const at = stored.findIndex(fits)
  if (at < 0) return null
  stored[at] = { ...(stored[at] as Attempt), ...changes }
  return stored[at] as Attempt
}
const rows: AttemptRows<Attempt> = {
  get: async (id) => stored.find((row) => row.id === id) ?? null,
  list: async ({ where, limit }) => stored.filter((row) => matches(where, row)).slice(0, limit),
  update: async (id, changes) => change((row) => row.id === id, changes),
  updateWhere: async (where, changes) => change((row) => matches(where, row), changes),
  updateMany: async () => 0,
  removeWhere: async (where) => {
    const before = stored.length
    stored = stored.filter((row) => !matches(where, row))
    return before - stored.length
  },
}

/** What an act was told, in order. */
let told: unknown[] = []
let now = began
/** What the service answers to the call, to a read by id and to a list. An error is thrown. */
let create: ShownResult | Error
let list: { shown: ShownResult[]; isWhole: boolean } | Error | null
let read: ShownResult | null | Error | 'none'
let keys: KeyUse | undefined
let judged: (ActFailure | null)[] = []
let paceMs = 0
let opening: Error | null = null
let creates = 0
const orThrow = <T>(given: T | Error): T => {
  if (given instanceof Error) throw given
  return given
}
beforeEach(() => {
  stored = []
  told = []
  now = began
  create = shown('7')
  list = { shown: [], isWhole: true }
  read = 'none'
  keys = undefined
  judged = []
  paceMs = 0
  opening = null
  creates = 0
})

const shown = (external_id: string, more: Partial<ShownResult> = {}): ShownResult => ({
  external_id,
  text: 'Hello',
  created_at: new Date(began).toISOString(),
  state: 'public',
  url: `https://far.test/${external_id}`,
  evidence: `shows ${external_id}`,
  ...more,
})

function act(more: Partial<OnceAct<Attempt>> = {}): OnceAct<Attempt> {
  const session = (): OpenCall<Attempt> => ({
    create: async () => {
      creates++
      return orThrow(create)
    },
    ...(read === 'none' ? {} : { read: async () => orThrow(read as ShownResult | null | Error) }),
    ...(list === null
      ? {}
      : { look: async () => orThrow(list as { shown: ShownResult[]; isWhole: boolean }) }),
    ...(keys === undefined ? {} : { keys }),
  })
  const route: CallRoute<Attempt> = {
    rule,
    expects: async ({ started_at: since }) => ({ text: 'Hello', since }),
    open: async () => {
      if (opening) throw opening
      return session()
    },
  }
  const says =
    (what: string) =>
    async (given: unknown): Promise<void> =>
      void told.push([what, given])
  return {
    rows,
    states,
    own: { op: 'and', of: [] },
    now: () => new Date(now),
    judge: async () => judged.shift() ?? route,
    route: async () => route,
    paceMs: async () => paceMs,
    begin: async () => {
      const row: Attempt = { id: 'att_1', ...newAttempt('key', new Date(now)) }
      stored.push(row)
      return row
    },
    later: says('later'),
    accepted: async ({ external_id, twins }) => void told.push(['accepted', external_id, ...(twins ?? [])]),
    held: async ({ external_id }) => void told.push(['held', external_id]),
    failed: async ({ kind }) => void told.push(['failed', kind]),
    refused: async (error) => void told.push(['refused', (error as Error).message]),
    ...more,
  }
}
const task = part<Task>({ hold: async () => {}, signal: new AbortController().signal })
const step = (more?: Partial<OnceAct<Attempt>>) => runStep(act(more), task)
const stateOf = () => stored.map(({ outcome, is_open, looks }) => [outcome, is_open, looks])
const waitOf = () => (told.at(-1) as [string, number])[1]
/** Takes steps, each after the wait that the last one asked for, and returns these waits. */
async function stepsUntil(end: string, most = 60): Promise<number[]> {
  const waits: number[] = []
  for (let n = 0; n < most; n++) {
    const [what, given] = (told.at(-1) ?? []) as [string, number]
    if (what === end) return waits
    if (what === 'later') {
      waits.push(given)
      now += given
    }
    await step()
  }
  throw new Error(`never ${end}: ${JSON.stringify(told)}`)
}
const attempt = (more: Partial<Attempt>): Attempt => ({
  id: 'att_1',
  ...newAttempt('key', new Date(began)),
  ...more,
})

describe('the first step', () => {
  test('calls once, and is over where the answer shows what was sent', async () => {
    await step()
    expect([told, stateOf(), creates]).toEqual([[['accepted', '7']], [['published', false, 0]], 1])
    await step()
    expect([told.length, creates]).toEqual([2, 1])
  })

  test('waits where it has to, and writes nothing', async () => {
    paceMs = 1
    await step()
    expect([told, stored]).toEqual([[['later', 1]], []])
    told = []
    await step({ begin: async () => null, paceMs: async () => 0 })
    expect([told, creates]).toEqual([[['later', 30_000]], 0])
  })

  test('does not call what must not happen, and says so before and after the way is open', async () => {
    const failure = { kind: 'missed', message: 'Too late.' } as const
    judged = [failure]
    await step()
    expect([told, stored, creates]).toEqual([[['failed', 'missed']], [], 0])
    told = []
    const route = act()
    const first = await route.judge()
    await step({ judge: async () => (told.length === 0 && stored.length === 0 ? first : failure) })
    expect([told, stateOf(), creates]).toEqual([[['failed', 'missed']], [['rejected', false, 0]], 0])
    expect(stored[0]?.evidence).toBe('Not sent. Too late.')
  })

  test('tells why the way cannot be opened, and leaves an own store that is away to the queue', async () => {
    opening = new ServiceFault('auth', 'Connect again')
    await step()
    expect([told, stored]).toEqual([[['refused', 'Connect again']], []])
    opening = new UnavailableError('the database is away')
    await expect(step()).rejects.toThrow('away')
    expect([told.length, stored]).toEqual([1, []])
  })

  test('takes back its attempt where its job was lost before the call', async () => {
    let holds = 0
    const hold = async () => {
      if (++holds === 2) throw new Error('lost')
    }
    await expect(runStep(act(), { ...task, hold })).rejects.toThrow('lost')
    expect([stored, creates]).toEqual([[], 0])
  })

  test('is over where the service says that nothing happened, and unknown after any other fault', async () => {
    create = new ServiceFault('permanent', 'no', { delivery: 'refused' })
    await step()
    expect([told, stateOf()]).toEqual([[['refused', 'no']], [['rejected', false, 0]]])
    stored = []
    told = []
    create = new ServiceFault('transient', '504')
    await step()
    expect([told, stateOf(), stored[0]?.evidence]).toEqual([
      [['later', 20_000]],
      [['unknown', true, 0]],
      '504',
    ])
  })
})

describe('an attempt whose outcome is unknown', () => {
  test('is looked for three times within ten minutes, and then left to a person', async () => {
    create = new ServiceFault('transient', '504')
    await step()
    expect(await stepsUntil('failed')).toEqual([20_000, 120_000, 360_000])
    expect([told.at(-1), stateOf(), creates]).toEqual([
      ['failed', 'unknown_outcome'],
      [['unknown', false, 3]],
      1,
    ])
  })

  test('is accepted as soon as a look shows it, with its duplicates, the earliest first', async () => {
    create = new ServiceFault('transient', '504')
    await step()
    const later = { created_at: new Date(began + 5_000).toISOString() }
    list = { shown: [shown('9', later), shown('8'), shown('5', { text: 'Other' })], isWhole: true }
    await stepsUntil('accepted')
    expect([told.at(-1), stateOf()]).toEqual([
      ['accepted', '8', 'https://far.test/9'],
      [['published', false, 0]],
    ])
  })

  test('prefers what everybody sees to what is held, and held to rejected, whatever came first', async () => {
    create = new ServiceFault('transient', '504')
    await step()
    const early = { created_at: new Date(began + 1).toISOString() }
    const late = { created_at: new Date(began + 9_000).toISOString() }
    list = {
      shown: [shown('r', { state: 'trash' }), shown('h', { ...early, state: 'pending' }), shown('p', late)],
      isWhole: false,
    }
    await stepsUntil('accepted')
    expect(told.at(-1)).toEqual(['accepted', 'p', 'https://far.test/h'])
  })

  test('of a process that died is first looked for after twenty seconds', async () => {
    stored = [attempt({})]
    await step()
    expect([told, stateOf()]).toEqual([[['later', 20_000]], [['unknown', true, 0]]])
    expect(stored[0]?.evidence).toBe('The process that made the call ended before the answer.')
  })

  test('that was given up goes no further', async () => {
    stored = [attempt({ outcome: 'unknown', is_open: false, evidence: '504' })]
    await step()
    expect([told, creates]).toEqual([[['failed', 'unknown_outcome']], 0])
  })

  test('is repeated with its exact key after the first look that finds nothing, and only then', async () => {
    keys = { isExact: true, lifetimeMs: async () => 24 * hour }
    create = new ServiceFault('transient', '504')
    await step()
    create = shown('7')
    list = { shown: [], isWhole: false }
    now += waitOf()
    await step()
    expect([creates, stateOf()]).toEqual([1, [['unknown', true, 1]]])
    list = { shown: [], isWhole: true }
    now += waitOf()
    await step()
    expect([creates, stored[0]?.calls]).toEqual([2, 2])
  })

  test.each([
    [true, 5],
    [false, 3],
  ])(
    'that is repeated is looked for five times within the hour, and never called without a wait: %p',
    async (isExact, calls) => {
      keys = { ...(isExact ? { isExact } : {}), lifetimeMs: async () => 24 * hour }
      create = new ServiceFault('transient', '504')
      await step()
      const minutes = (await stepsUntil('failed')).map((ms) => ms / minute)
      expect([minutes, creates]).toEqual([[1 / 3, 2, 6, 15, 25], calls])
      expect([told.at(-1), stateOf()]).toEqual([['failed', 'unknown_outcome'], [['unknown', false, 5]]])
    },
  )

  test('is repeated while the server keeps its key and nothing is in doubt, on a clock that goes on', async () => {
    const callsAfter = async (ageMs: number, more: Partial<OnceAct<Attempt>> = {}, isExact = true) => {
      keys = { ...(isExact ? { isExact } : {}), lifetimeMs: async () => hour }
      stored = [attempt({ outcome: 'unknown', looks: 2 })]
      now = began + ageMs
      creates = 0
      await step(more)
      return creates
    }
    expect([
      await callsAfter(0),
      await callsAfter(hour - 1),
      await callsAfter(hour),
      await callsAfter(-1),
    ]).toEqual([1, 1, 0, 0])
    expect(await callsAfter(0, { isInDoubt: async () => true })).toBe(0)
    expect(await callsAfter(0, { isInDoubt: async () => false })).toBe(1)
    expect(await callsAfter(0, { judge: async () => ({ kind: 'missed', message: 'x' }) })).toBe(0)
    // A key that is not part of the result is used after all three looks.
    expect(await callsAfter(0, {}, false)).toBe(1)
    stored = [attempt({ outcome: 'unknown', looks: 1 })]
    creates = 0
    await step()
    expect(creates).toBe(0)
  })

  test('is never repeated without a key, nor with one of unknown life', async () => {
    for (const given of [undefined, { isExact: true, lifetimeMs: async () => null } as const]) {
      stored = []
      told = []
      creates = 0
      keys = given
      create = new ServiceFault('transient', '504')
      await step()
      await stepsUntil('failed')
      expect(creates).toBe(1)
    }
  })
})

describe('a result that the service holds back', () => {
  const held = (more: Partial<Attempt> = {}) =>
    attempt({
      outcome: 'held',
      external_id: '7',
      platform_state: 'pending',
      held_since: new Date(began).toISOString(),
      evidence: '201',
      ...more,
    })

  test('is looked at after a minute, then after half of its age, at most each eight hours, for seven days', async () => {
    create = shown('7', { state: 'pending' })
    list = { shown: [create], isWhole: true }
    await step()
    expect(told).toEqual([
      ['held', '7'],
      ['later', minute],
    ])
    const waits = await stepsUntil('failed', 200)
    expect(waits.slice(0, 4)).toEqual([minute, minute, minute, 1.5 * minute])
    expect(Math.max(...waits)).toBe(8 * hour)
    expect(now - began).toBeGreaterThanOrEqual(168 * hour)
    expect(now - began).toBeLessThan(176 * hour)
    expect(told.at(-1)).toEqual(['failed', 'held_by_platform'])
    expect(stateOf()[0]?.slice(0, 2)).toEqual(['held', false])
  })

  test('is accepted when everybody sees it, and fails when it is rejected', async () => {
    stored = [held()]
    list = { shown: [shown('7')], isWhole: true }
    await step()
    expect([told, stateOf()]).toEqual([[['accepted', '7']], [['published', false, 0]]])
    stored = [held()]
    told = []
    list = { shown: [shown('7', { state: 'trash' })], isWhole: true }
    await step()
    expect([told, stateOf()]).toEqual([[['failed', 'rejected']], [['rejected', false, 0]]])
  })

  test('is gone after two answers that say so an hour apart, and one that shows it begins anew', async () => {
    stored = [held()]
    read = null
    await step()
    expect(stored[0]?.gone_since).toBe(new Date(began).toISOString())
    now = began + hour - 1
    await step()
    expect(stateOf()[0]?.slice(0, 2)).toEqual(['held', true])
    read = shown('7', { state: 'pending' })
    await step()
    expect(stored[0]?.gone_since).toBeUndefined()
    read = null
    await step()
    now += hour
    await step()
    expect([told.at(-1), stateOf()[0]?.slice(0, 2)]).toEqual([
      ['failed', 'rejected'],
      ['rejected', false],
    ])
  })

  test('is left to a person where the service shows something else in its place, if everybody sees that', async () => {
    stored = [held()]
    read = shown('7', { text: 'Their words', state: 'pending' })
    await step()
    expect(told.at(-1)).toEqual(['later', minute])
    read = shown('7', { text: 'Their words' })
    await step()
    expect(told.at(-1)).toEqual(['failed', 'unknown_outcome'])
  })
})

describe('after all jobs of an act died', () => {
  const after = async (row: Attempt | null, ageMs = 0) => {
    stored = row ? [row] : []
    told = []
    now = began + ageMs
    await afterDeadLetter(act(), 'gave up')
    return told
  }

  test('it fails where nothing was sent, and is accepted where it was', async () => {
    expect(await after(null)).toEqual([['failed', 'rejected']])
    expect(await after(attempt({ outcome: 'rejected', is_open: false }))).toEqual([['failed', 'rejected']])
    expect(await after(attempt({ outcome: 'published', external_id: '7', is_open: false }))).toEqual([
      ['accepted', '7'],
    ])
  })

  test('the search goes on for two hours, in both directions of a clock, and then ends', async () => {
    const unknown = attempt({ outcome: 'unknown' })
    for (const ms of [0, 2 * hour - 1, 1 - 2 * hour])
      expect(await after(unknown, ms)).toEqual([['later', 30_000]])
    for (const ms of [2 * hour, -2 * hour])
      expect(await after(unknown, ms)).toEqual([['failed', 'unknown_outcome']])
    expect(await after({ ...unknown, is_open: false })).toEqual([['failed', 'unknown_outcome']])
  })

  test('what is held is looked at an hour later, while it is looked for', async () => {
    const held = attempt({ outcome: 'held', external_id: '7' })
    expect(await after(held, 99 * hour)).toEqual([['later', hour]])
    expect(await after({ ...held, is_open: false })).toEqual([['failed', 'held_by_platform']])
  })
})
