import { expect, spyOn, test } from 'bun:test'
import { dayMs } from 'renown/contracts'
import { agentsOf, type Batch, createCounter } from '../../../ingest/count/counter'
import { createDedup } from '../../../ingest/count/dedup'
import type { JournalEntry } from '../../../ingest/journal/journal'
import { releaseAgents } from '../../../ingest/judge/agent-index'
import { part } from '../../support/part'
import { gptBot, record, site, startedAt } from '../support/ingest'

const minute = 60_000

/** A counter on a journal in memory, which fails once where `fails` says so. */
function counterOf({ keptDays = 0, isOneOfMany = false } = {}) {
  const entries: JournalEntry[] = []
  const state = { fails: false, gate: undefined as Promise<void> | undefined }
  const dedup = createDedup(2 ** 20, () => new Date(startedAt))
  const answers: unknown[] = []
  const counter = createCounter(
    part({
      agents: { current: releaseAgents },
      newAgents: { see() {} },
      journal: {
        async append(entry: JournalEntry) {
          await state.gate
          if (state.fails) {
            state.fails = false
            throw new Error('no disk')
          }
          entries.push(entry)
        },
      },
      dedup,
      keptDays,
      isOneOfMany,
      lineMax: 100_000,
      now: () => new Date(startedAt),
      ranges: { verdict: () => 'verified', isInDoubt: () => false },
      dayOf: () => '2026-11-20',
      paths: { admit: (_: string, __: string, path: string) => path },
      metrics: { batch: (answer: unknown) => void answers.push(answer) },
    }),
  )
  const count = (records: readonly object[], more: Partial<Batch> = {}) =>
    counter.count({
      site,
      id: null,
      bodySecret: 'secret',
      isRecent: true,
      datesArrivals: false,
      linesMax: 100_000,
      text: records.map((each) => JSON.stringify(each)).join('\n'),
      ...more,
    })
  return { count, state, entries, answers }
}
const at = (ms: number) => record({ ts: new Date(startedAt + ms).toISOString() })

test.each([
  [10 * minute, {}, {}, 1],
  [10 * minute + 1, {}, {}, 0],
  [-7 * dayMs, {}, {}, 1],
  [-7 * dayMs - 1, {}, {}, 0],
  [-7 * dayMs - 1, {}, { isRecent: false }, 1],
  [-2_000 * dayMs, {}, { isRecent: false }, 1],
  [-7 * dayMs, { keptDays: 10 }, { isRecent: false }, 1],
  [-7 * dayMs - 1, { keptDays: 10 }, { isRecent: false }, 0],
  [2 * dayMs - dayMs * 4, { keptDays: 5 }, { isRecent: false }, 1],
  [-2 * dayMs - 1, { keptDays: 5 }, {}, 0],
  [0, { keptDays: 3 }, {}, 1],
  [-1, { keptDays: 3 }, {}, 0],
])('a hit of %i ms from now with %j, %j counts %i times', async (ms, deps, batch, accepted) => {
  const counted = await counterOf(deps).count([at(ms)], batch)
  expect(counted?.answer).toMatchObject({ accepted, rejected: 1 - accepted })
})

test('a batch has as many lines as are allowed, or counts nothing', async () => {
  const { count, entries } = counterOf()
  expect((await count([at(0), at(1)], { linesMax: 2 }))?.answer.accepted).toBe(2)
  expect(await count([at(2), at(3), at(4)], { linesMax: 2 })).toBeNull()
  expect(entries).toHaveLength(1)
})

test('each user agent of a batch is looked up once, for the first 4,096 of them', async () => {
  const sets = spyOn(Map.prototype, 'set')
  try {
    const lines = (names: readonly string[]) => names.map((ua) => record({ ua }))
    const stored = async (names: readonly string[]) => {
      sets.mockClear()
      await counterOf().count(lines(names))
      return sets.mock.calls.filter(([key]) => String(key).startsWith('test ')).length
    }
    expect(await stored(['test a'])).toBe(0)
    expect(await stored(['test a', 'test b', 'test b', 'test a', 'test a'])).toBe(2)
    expect(await stored(Array.from({ length: 4_100 }, (_, n) => `test ${n}`))).toBe(4_096)
  } finally {
    sets.mockRestore()
  }
})

test('the same user agents name the same agents, however often they come', async () => {
  const lines = [gptBot, 'ClaudeBot/1.0', gptBot, 'nobody', gptBot, 'ClaudeBot/1.0', 'nobody']
  const counted = await counterOf().count(lines.map((ua) => record({ ua })))
  expect(counted && agentsOf(counted)).toEqual({ GPTBot: 3, ClaudeBot: 2 })
  expect(counted?.answer).toMatchObject({ accepted: 5, ignored: 2 })
})

test.each([
  ['one record', [{}], false, true, 'known'],
  ['one record with an id', [{ id: 'a' }], false, false, 'known'],
  ['two records with ids', [{ id: 'a' }, { id: 'b' }], false, false, 'known'],
  ['two records with ids, where others count too', [{ id: 'a' }, { id: 'b' }], true, true, 'known'],
  ['one record with an id, where others count too', [{ id: 'a' }], true, false, 'known'],
  ['two records', [{}, {}], false, true, 'known'],
  ['an id of two', [{ id: 'a' }, {}], false, true, 'known'],
])('%s: sent twice counts once', async (_, records, isOneOfMany) => {
  const { count, entries } = counterOf({ isOneOfMany: isOneOfMany as boolean })
  const body = (records as Record<string, unknown>[]).map((more) => record(more))
  const first = await count(body)
  const second = await count(body)
  expect(first?.answer).toMatchObject({ accepted: body.length, duplicate: 0 })
  expect(second?.answer).toMatchObject({ accepted: 0, duplicate: body.length })
  const batches = entries.map(({ batch }) => batch?.id.length)
  const needsId = body.length > 1 && (isOneOfMany || (records as { id?: string }[]).some(({ id }) => !id))
  expect(batches[0]).toBe(needsId ? 32 : undefined)
  expect(entries.flatMap(({ hits }) => hits)).toHaveLength(body.length)
})

test('a batch is another with another secret or another body', async () => {
  const { count, entries } = counterOf()
  await count([at(0), at(1)])
  await count([at(0), at(1)], { bodySecret: 'other' })
  await count([at(0), at(2)])
  expect(new Set(entries.map(({ batch }) => batch?.id)).size).toBe(3)
})

test('a batch is known by its id, and its answer is that of the first time', async () => {
  const { count, entries, answers } = counterOf()
  const lines = [at(0), at(1), record({ ua: 'nobody' }), at(11 * minute)]
  const first = await count(lines, { id: 'k' })
  expect(first?.answer).toMatchObject({ accepted: 2, ignored: 1, rejected: 1, duplicate: 0 })
  const record1 = { id: 'k', accepted: 2, ignored: 1, rejected: 1, duplicate: 0, at: startedAt }
  expect(entries[0]?.batch).toEqual(record1)
  const second = await count([at(5)], { id: 'k' })
  expect(second?.answer).toEqual({ accepted: 0, ignored: 1, rejected: 1, duplicate: 2, reasons: [] })
  expect(second?.lines).toBe(1)
  expect([entries.length, answers]).toEqual([1, [first?.answer, second?.answer]])
})

test.each([
  ['by its id', { id: 'k' }, [at(0), at(1)]],
  ['by its body', {}, [at(0), at(1)]],
  ['by the ids of its hits', {}, [record({ id: 'a' }), record({ id: 'b' })]],
])('a batch known %s that cannot be written is new again', async (_, more, lines) => {
  const { count, state, entries } = counterOf()
  state.fails = true
  await expect(Promise.resolve(count(lines, more))).rejects.toThrow('no disk')
  expect((await count(lines, more))?.answer).toMatchObject({ accepted: 2, duplicate: 0 })
  expect((await count(lines, more))?.answer).toMatchObject({ accepted: 0, duplicate: 2 })
  expect(entries.flatMap(({ hits }) => hits)).toHaveLength(2)
})

test.each([
  [false, { accepted: 0, duplicate: 2 }],
  [true, { accepted: 2, duplicate: 0 }],
])('a batch waits for another one with its hits: where that fails (%p) it counts', async (fails, wanted) => {
  for (const [id, lines] of [
    ['k', [at(0), at(1)]],
    [null, [record({ id: 'a' }), record({ id: 'b' })]],
  ] as const) {
    const it = counterOf()
    const gate = Promise.withResolvers<void>()
    it.state.gate = gate.promise
    it.state.fails = fails
    const first = Promise.resolve(it.count(lines, { id })).catch((error: Error) => error.message)
    const second = Promise.resolve(it.count(lines, { id }))
    gate.resolve()
    const outcome = await first
    expect(typeof outcome === 'string').toBe(fails)
    expect((await second)?.answer).toMatchObject(wanted)
    expect(it.entries.flatMap(({ hits }) => hits)).toHaveLength(2)
  }
})

test('hits without a time are dated only where that is asked for, and then are no body that is known', async () => {
  const { ts: _, ...undated } = record()
  const { count } = counterOf()
  expect((await count([undated]))?.answer).toMatchObject({ accepted: 0, rejected: 1 })
  for (let n = 0; n < 2; n++)
    expect((await count([undated, undated], { datesArrivals: true }))?.answer).toMatchObject({
      accepted: 2,
      by_reason: [{ outcome: 'dated', reason: expect.any(String), lines: 2 }],
    })
})

test.each([
  ['records with an id', [{ id: 'a' }]],
  ['one record', [{}]],
])('%s of two sites are told apart', async (_, records: Record<string, unknown>[]) => {
  const { count, entries } = counterOf()
  const body = records.map((more) => record(more))
  await count(body)
  await count(body, { site: { ...site, site_id: 'site_2' } })
  const ids = entries.flatMap(({ hits }) => hits.map(({ id }) => id))
  expect([ids.length, new Set(ids).size, ids.includes(undefined)]).toEqual([2, 2, false])
})

/** Counts lines by a clock with these times, and returns how often it was looked at and how many turns others got. */
async function lookedAt(lines: readonly object[], times: readonly number[] = []) {
  const looks = spyOn(performance, 'now')
  const turns = spyOn(globalThis, 'setImmediate')
  const order: string[] = []
  try {
    let calls = 0
    looks.mockImplementation(() => times[calls++] ?? times.at(-1) ?? 1)
    const { count } = counterOf()
    setImmediate(() => order.push('other'))
    turns.mockClear()
    const counted = await count(lines)
    order.push('counted')
    expect(counted?.answer.accepted).toBe(lines.length)
    return { looks: looks.mock.calls.length, turns: turns.mock.calls.length, order }
  } finally {
    looks.mockRestore()
    turns.mockRestore()
  }
}
const many = (count: number) => Array.from({ length: count }, (_, n) => at(n))

test.each([
  [15, 0],
  [16, 1],
  [31, 1],
  [32, 2],
])('with %i lines the clock is looked at %i times', async (lines, looks) =>
  expect(await lookedAt(many(lines))).toMatchObject({ looks, turns: 0 }),
)

test.each([
  [2 ** 15 - 1, 1],
  [2 ** 15, 2],
])('with five lines of %i characters the clock is looked at %i times', async (length, looks) => {
  const empty = JSON.stringify({ ...at(0), more: '' }).length + '\n'.length
  const lines = Array.from({ length: 5 }, () => ({ ...at(0), more: 'x'.repeat(length - empty) }))
  expect(await lookedAt(lines)).toMatchObject({ looks, turns: 0 })
})

test('others get a turn after five milliseconds', async () => {
  expect(await lookedAt(many(64), [100, 104, 104, 104])).toMatchObject({ looks: 4, turns: 0 })
  const { order } = await lookedAt(many(64), [100, 105, 200, 204])
  expect(order).toEqual(['other', 'counted'])
})
