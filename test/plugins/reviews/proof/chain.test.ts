import { describe, expect, test } from 'bun:test'
import { Refusal } from '../../../../core/contracts/errors'
import { digestOf } from '../../../../plugins/reviews/proof/digest'
import { logOwn, openChain } from '../../../../plugins/reviews/proof/ledger'
import { replay } from '../../../../plugins/reviews/proof/replay'

const chain = { workspace_id: 'ws_1', location_id: 'loc_1', source: 'google' }
const review = { source_id: 'r1', star_rating: 5, review_text: 'Lovely' }
const proof = { complete: true }
const none = { reviews: [], restored: [], adopted: [] }

/** A store of one chain's entries, in a process of its own. `onRead` is told each time that the entries are read. */
function store(entries: { seq: number }[] = [], onRead = () => {}) {
  const rows = () => ({
    list: async () => entries.slice(-1),
    insert: async (row: { seq: number }) => void entries.push(row),
    async *each({ where: wanted }: { readonly where: object }) {
      onRead()
      const after = Number(/"op":"gt","field":"seq","value":(\d{1,9})/.exec(JSON.stringify(wanted))?.[1] ?? 0)
      yield* entries.filter(({ seq }) => seq > after)
    },
  })
  const writeTogether = async (collect: (batch: object) => void) =>
    collect({ insert: (_: object, row: { seq: number }) => void entries.push(row) })
  const now = () => new Date('2026-03-16T00:00:00.000Z')
  return { rows, writeTogether, hasTransactions: true, product: {}, now } as never
}

test('a chain says of each page whether it wrote anything about it', async () => {
  const open = await openChain(store(), chain, async () => new Map())
  expect(await open.seen(none)).toBe(false)
  expect([await open.seen({ ...none, reviews: [review] }), open.head.seq]).toEqual([true, 1])
  expect([await open.seen({ ...none, reviews: [review] }), open.head.seq]).toEqual([false, 1])
  expect([await open.seen({ ...none, restored: ['r1'] }), open.head.seq]).toEqual([true, 2])
  const adopted = [{ from: 'r1', to: 'r2' }]
  expect([await open.seen({ ...none, adopted }), open.head.seq]).toEqual([true, 3])
})

test('a page is written in parts of 200 reviews, of which the first says what came back or has a new id', async () => {
  const entries: { seq: number; entry?: { reviews: unknown[] } }[] = []
  const open = await openChain(store(entries), chain, async () => new Map())
  const reviews = Array.from({ length: 401 }, (_, n) => ({ ...review, source_id: `r${n}` }))
  const more = { restored: ['r1'], adopted: [{ from: 'r2', to: 'r3' }] }
  expect(await open.seen({ reviews, ...more })).toBe(true)
  const written = entries.map(({ entry: { reviews: ofPart = [], ...rest } = { reviews: [] } }) => {
    return { count: ofPart.length, ...rest }
  })
  expect<unknown>(written).toEqual([
    { count: 200, kind: 'seen', ...more, logs_own: true },
    { count: 200, kind: 'seen', logs_own: true },
    { count: 1, kind: 'seen', logs_own: true },
  ])
})

test('a review that is removed twice is still known by the digest it had', async () => {
  const ctx = store()
  const open = await openChain(ctx, chain, async () => new Map())
  const pass = (...removed: string[]) =>
    open.pass({
      full: true,
      proof: proof as never,
      withheld: 0,
      figures: {},
      removed: removed.map((source_id) => ({ source_id, said: 'not found' as never })),
      isListed: () => true,
      isGone: async () => null,
    })
  await open.seen({ ...none, reviews: [review] })
  await pass('r1')
  await pass('r1', 'never')
  const { fault, past, standing } = await replay(ctx, chain)
  expect([fault, standing.size]).toEqual([null, 0])
  expect<unknown>([...past]).toEqual([
    ['r1', digestOf(review)],
    ['never', ''],
  ])
})

describe('What Renown itself did with a review', () => {
  const own = { ...chain, source_id: 'r1' }
  const replied = { ...review, reply: { text: 'Thank you' } }
  const other = { ...review, source_id: 'r2' }
  const open = (ctx: ReturnType<typeof store>) => openChain(ctx, chain, async () => new Map())

  test('is known to the process that logged it, which does not read the log again', async () => {
    let reads = 0
    const ctx = store([], () => reads++)
    await (await open(ctx)).seen({ ...none, reviews: [review] })
    await logOwn(ctx, own, { review: replied })
    reads = 0
    const again = await open(ctx)
    expect([again.head.seq, reads]).toEqual([2, 0])
    expect(await again.seen({ ...none, reviews: [replied] })).toBe(false)
    expect(await again.seen({ ...none, reviews: [review] })).toBe(true)
  })

  test('hides nothing that another process logged before it', async () => {
    const entries: { seq: number }[] = []
    const here = store(entries)
    const there = store(entries)
    await (await open(here)).seen({ ...none, reviews: [review] })
    await (await open(there)).seen({ ...none, reviews: [other] })
    await logOwn(here, own, { review: replied })
    const again = await open(here)
    expect(again.head.seq).toBe(3)
    expect(await again.seen({ ...none, reviews: [replied, other] })).toBe(false)
  })

  test('is logged by a process that has not read the log, once', async () => {
    const entries: { seq: number; entry?: unknown }[] = []
    await (await open(store(entries))).seen({ ...none, reviews: [review] })
    const fresh = store(entries)
    await logOwn(fresh, own, { review: replied })
    expect(entries.map(({ seq }) => seq)).toEqual([1, 2])
    expect<unknown>(entries[1]?.entry).toEqual({
      kind: 'seen',
      reviews: [{ digest: digestOf(replied), review: replied }],
      logs_own: true,
    })
    expect((await replay(fresh, chain)).fault).toBeNull()
  })
})

describe('Where another process appends first', () => {
  const conflict = () => new Refusal('conflict', 'The entry is there already.')
  const of = (n: number) => ({ ...review, source_id: `other ${n}` })

  /** A store whose first writes fail. `before` runs before each failure. */
  function failing(entries: { seq: number }[], times: number, fault: () => Error, before = async () => {}) {
    const ctx = store(entries) as { writeTogether(collect: (batch: object) => void): Promise<void> }
    const tries = { count: 0 }
    const writeTogether = async (collect: (batch: object) => void) => {
      if (tries.count++ >= times) return ctx.writeTogether(collect)
      collect({ insert: () => {} })
      await before()
      throw fault()
    }
    return { tries, ctx: { ...ctx, writeTogether } as never as Parameters<typeof openChain>[0] }
  }

  /** Appends one entry as another process. */
  const appended = (entries: { seq: number }[]) => async () => {
    const there = await openChain(store(entries), chain, async () => new Map())
    await there.seen({ ...none, reviews: [of(entries.length)] })
  }

  const writers = {
    'a sync': async (ctx: Parameters<typeof openChain>[0]) => {
      const open = await openChain(ctx, chain, async () => new Map())
      await open.seen({ ...none, reviews: [review] })
    },
    'an act of our own': (ctx: Parameters<typeof openChain>[0]) =>
      logOwn(ctx, { ...chain, source_id: 'r1' }, { review }),
  }

  test.each(Object.entries(writers))('%s is bound to the new end, up to nine times', async (_, write) => {
    const entries: { seq: number; entry?: { reviews?: object[] } }[] = []
    await appended(entries)()
    const { ctx, tries } = failing(entries, 9, conflict, appended(entries))
    await write(ctx)
    expect([tries.count, entries.map(({ seq }) => seq)]).toEqual([10, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]])
    expect(entries.at(-1)?.entry?.reviews).toEqual([{ digest: digestOf(review), review }])
    expect((await replay(store(entries), chain)).fault).toBeNull()
  })

  test.each(Object.entries(writers))('%s gives up after ten times', async (_, write) => {
    const entries: { seq: number }[] = []
    await appended(entries)()
    const { ctx, tries } = failing(entries, 10, conflict, appended(entries))
    await expect(write(ctx)).rejects.toThrow('The entry is there already.')
    expect([tries.count, entries.length]).toEqual([10, 11])
  })

  test.each(Object.entries(writers))('%s fails at once with any other fault', async (_, write) => {
    const entries: { seq: number }[] = []
    await appended(entries)()
    const { ctx, tries } = failing(entries, 1, () => new Error('The store is away.'), appended(entries))
    await expect(write(ctx)).rejects.toThrow('The store is away.')
    expect(tries.count).toBe(1)
  })

  test('a sync fails where nothing was appended, because a conflict then has another reason', async () => {
    const { ctx, tries } = failing([], 1, conflict)
    await expect(writers['a sync'](ctx)).rejects.toThrow('The entry is there already.')
    expect(tries.count).toBe(1)
  })
})
