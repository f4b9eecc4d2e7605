import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DaySum, DaySumsQuery } from '../../../../core/contracts/day-sums'
import type { AnyEntity } from '../../../../core/contracts/entity'
import { dayIn } from '../../../../core/kit/periods'
import { openMongo } from '../../../../core/stores/documents/mongo'
import type { Documents } from '../../../../core/stores/documents/port'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { countedSums } from '../../../../core/stores/documents/sums/counted'
import { shapeOf } from '../../../../core/stores/documents/sums/shape'
import { describeStores, mongoUri } from '../../../support/mongo'
import { quietLog as log } from '../../../support/quiet-log'
import { type Random, randomDocument, randomSource } from '../../../support/random-documents'
import { Sample } from '../../../support/sample-entity'

const now = () => new Date()
const rounds = process.env.RENOWN_LONG === '1' ? 400 : 25
const zones = ['UTC', 'Europe/Madrid', 'America/St_Johns', 'Pacific/Kiritimati', 'Asia/Kathmandu'] as const
const Summed = {
  ...Sample,
  name: 'Summed',
  indexes: [],
  daySums: {
    on: 'seen_at',
    by: ['location_id', 'kind'],
    values: ['stage', 'is_open'],
    set: ['title', 'due'],
  },
} as unknown as AnyEntity
const all = { op: 'and', of: [] } as const
const present = { op: 'eq', field: 'removed_at', value: null } as const
type Stored = Readonly<Record<string, unknown>> & { readonly id: string }

const opened = {
  SQLite: () => openSqlite({ path: ':memory:', now, log }),
  MongoDB: () => openMongo({ uri: mongoUri() ?? '', now, log }),
}

describeStores<() => Promise<Documents>>(opened, 'sums by day in %s', (name, open) => {
  test(
    `equal the rows after each of ${rounds} rounds of random writes, repairs and questions at the same time`,
    async () => {
      const random = randomSource(20261129)
      const store = await open()
      try {
        await store.ensure([Summed])
        for (let round = 0; round < rounds; round++) {
          // Questions and repairs run while rows change, and may keep what is old by then.
          await Promise.allSettled([
            ...Array.from({ length: 6 }, () => writeOnce(store, random)),
            ...Array.from({ length: 3 }, () => answered(store, randomQuery(random))),
            ...(random.chance(0.5) ? [repaired(store, random)] : []),
            ...Array.from({ length: 4 }, () => writeOnce(store, random)),
          ])
          await expectSums(store, random, 8)
        }
        await store.collection(Summed).remove(all)
        await expectSums(store, random, 4)
      } finally {
        await store.close()
      }
    },
    rounds * 2_000,
  )

  test('move to the day of a row that is dated anew, and leave the day of one that is erased', async () => {
    const store = await open()
    try {
      await store.ensure([Summed])
      const rows = store.collection(Summed)
      const row = (id: string) => ({ ...document(id), seen_at: '2026-03-31T22:30:00.000Z' })
      await rows.insertMany([row('smp_1'), row('smp_2')])
      const query = queryOf({ date_from: '2026-03-01', date_to: '2026-04-30', timezone: 'Europe/Madrid' })
      const days = async () => (await answered(store, query)).map(({ day, n }) => [day, n])
      expect(await days()).toEqual([['2026-04-01', 2]])
      const one = { op: 'eq', field: 'id', value: 'smp_1' } as const
      await rows.updateOne(one, { set: { seen_at: '2026-03-02T12:00:00.000Z' } })
      expect(await days()).toEqual([
        ['2026-03-02', 1],
        ['2026-04-01', 1],
      ])
      await rows.updateOne(one, { set: { removed_at: '2026-05-01T00:00:00.000Z' } })
      await rows.remove({ op: 'eq', field: 'id', value: 'smp_2' })
      expect(await days()).toEqual([])
    } finally {
      await store.close()
    }
  })

  test('are those of the time zone that is asked for, also after it changed and changed back', async () => {
    const store = await open()
    try {
      await store.ensure([Summed])
      const rows = store.collection(Summed)
      await rows.insert({ ...document('smp_1'), seen_at: '2026-10-31T20:00:00.000Z' })
      const dayOf = async (timezone: string) => {
        const within = { date_from: '2026-10-01', date_to: '2026-11-30', timezone }
        return (await answered(store, queryOf(within))).map(({ day }) => day)
      }
      expect(await dayOf('Asia/Tokyo')).toEqual(['2026-11-01'])
      await rows.updateOne({ op: 'eq', field: 'id', value: 'smp_1' }, { set: { title: 'changed' } })
      expect(await dayOf('America/New_York')).toEqual(['2026-10-31'])
      await rows.updateOne(
        { op: 'eq', field: 'id', value: 'smp_1' },
        { set: { seen_at: '2026-10-30T20:00:00.000Z' } },
      )
      const october = { date_from: '2026-10-01', date_to: '2026-10-31', timezone: 'America/New_York' }
      expect((await answered(store, queryOf(october))).map(({ day }) => day)).toEqual(['2026-10-30'])
      expect(await dayOf('Asia/Tokyo')).toEqual(['2026-10-31'])
    } finally {
      await store.close()
    }
  })

  test('are right while another question stores the same month for another time zone, or removes it', async () => {
    const store = await open()
    try {
      await store.ensure([Summed])
      const rows = store.collection(Summed)
      const row = (id: string, seen_at: string) => ({ ...document(id), seen_at })
      await rows.insertMany([
        row('smp_1', '2026-10-15T20:00:00.000Z'),
        row('smp_2', '2026-11-15T20:00:00.000Z'),
      ])
      const within = { date_from: '2026-10-01', date_to: '2026-11-30' }
      const madrid = queryOf({ ...within, timezone: 'Europe/Madrid' })
      const daysOf = async (query: DaySumsQuery) => (await answered(store, query)).map(({ day }) => day)
      for (const [round, other] of [
        () => daysOf(queryOf({ date_from: '2026-10-01', date_to: '2026-10-31', timezone: 'Asia/Tokyo' })),
        async () => rows.daySums?.forget('wks_1'),
      ].entries()) {
        expect(await daysOf(madrid)).toEqual(['2026-10-15', '2026-11-15'])
        const one = { op: 'eq', field: 'id', value: 'smp_2' } as const
        await rows.updateOne(one, { set: { stage: `round ${round}` } })
        const [own] = await Promise.all([daysOf(madrid), other()])
        expect(own).toEqual(['2026-10-15', '2026-11-15'])
      }
    } finally {
      await store.close()
    }
  })

  test('are kept by the embedded store alone, and a filter of other fields counts the rows', async () => {
    const store = await open()
    try {
      await store.ensure([Summed])
      const { daySums } = store.collection(Summed)
      const within = { date_from: '2026-10-01', date_to: '2026-10-31', timezone: 'UTC' }
      expect(daySums !== undefined).toBe(name === 'SQLite')
      if (!daySums) return
      expect(await daySums.read(queryOf(within))).toEqual([])
      const open = { op: 'eq', field: 'is_open', value: true } as const
      const { where = all, ...query } = queryOf(within)
      expect(await daySums.read({ ...query, where: { op: 'and', of: [where, open] } })).toBeNull()
      expect(await daySums.read({ ...query, where: { op: 'or', of: [where] } })).toBeNull()
      expect(await daySums.read({ ...query, where: present })).toBeNull()
    } finally {
      await store.close()
    }
  })
})

test('sums of a file are exact after an upgrade that declares them, and after one that declares others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'renown-sums-'))
  const random = randomSource(5)
  try {
    const { daySums: _, ...without } = Summed as AnyEntity & { readonly daySums: unknown }
    const other = { ...Summed, daySums: { ...Summed.daySums, values: ['stage'], set: [] } } as AnyEntity
    for (const entity of [without as AnyEntity, Summed, other, Summed]) {
      const store = await openSqlite({ path: join(folder, 'documents.db'), now, log })
      await store.ensure([entity])
      for (let write = 0; write < 30; write++) await writeOnce(store, random, entity).catch(() => null)
      if (entity.daySums) await expectSums(store, random, 6, entity)
      await store.close()
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

const document = (id: string) => ({
  id,
  workspace_id: 'wks_1',
  created_date: '2026-01-01T00:00:00.000Z',
  updated_date: '2026-01-01T00:00:00.000Z',
  location_id: 'loc_1',
  stage: 'new' as const,
  is_archived: false,
})

const queryOf = (
  within: DaySumsQuery['within'],
  workspaces: readonly string[] = ['wks_1'],
): DaySumsQuery => ({
  where: { op: 'and', of: [present, { op: 'in', field: 'workspace_id', values: workspaces }] },
  within,
  by: [],
  byDay: true,
})

/** An instant near the ends of days and months of all zones. */
function randomInstant(random: Random): string {
  const month = Date.UTC(2026, random.below(4), 1)
  return new Date(month + (random.below(40) - 20) * 3_600_000 + random.one([0, -1, 1, 900_000])).toISOString()
}

async function writeOnce(store: Documents, random: Random, entity = Summed): Promise<void> {
  const rows = store.collection(entity)
  const made = () => {
    const row = { ...randomDocument(random, random.below(80)) } as Record<string, unknown>
    if (random.chance(0.9)) row.seen_at = randomInstant(random)
    return row as never
  }
  const id = { op: 'eq', field: 'id', value: `smp_${random.below(80)}` } as const
  const stage = { op: 'eq', field: 'stage', value: random.one(['new', 'won', 'lost']) } as const
  const set = random.one([
    { seen_at: randomInstant(random) },
    { stage: 'won' },
    { is_open: random.chance(0.5) },
    { location_id: random.one(['loc_1', 'loc_2']) },
    { title: random.one(['a\0b', '"', 'é']) },
    { removed_at: randomInstant(random) },
    { workspace_id: random.one(['wks_1', 'wks_2']) },
    { kind: null },
  ])
  const unset = { unset: [random.one(['kind', 'seen_at', 'is_open', 'due', 'title', 'removed_at'])] }
  const ways = [
    () => rows.insert(made()),
    () => rows.insertMany(Array.from({ length: 8 }, made)),
    () => rows.updateOne(id, { set } as never),
    () => rows.updateOne(id, unset as never),
    () => rows.updateMany(stage, random.chance(0.5) ? ({ set } as never) : (unset as never)),
    () => rows.remove({ op: 'and', of: [stage, { op: 'eq', field: 'is_archived', value: true }] }),
    () => rows.remove(id),
  ]
  await random.one(ways)()
}

async function repaired(store: Documents, random: Random): Promise<void> {
  const sums = store.collection(Summed).daySums
  if (!sums) return
  for (const id of sums.touchedWorkspaces(10)) await sums.repair(id, random.one(zones))
  if (random.chance(0.1)) await sums.forget('wks_2')
}

function randomQuery(random: Random): DaySumsQuery {
  const date_from = new Date(Date.UTC(2025, 11, 25 + random.below(100))).toISOString().slice(0, 10)
  const date_to = new Date(Date.parse(date_from) + random.below(70) * 86_400_000).toISOString().slice(0, 10)
  const workspaces = random.one([['wks_1'], ['wks_2'], ['wks_1', 'wks_2'], ['none']])
  const { where = all, ...query } = queryOf({ date_from, date_to, timezone: random.one(zones) }, workspaces)
  const kinds = { op: 'in', field: 'kind', values: ['a', null] } as const
  const location = { op: 'eq', field: 'location_id', value: 'loc_1' } as const
  const open = { op: 'eq', field: 'is_open', value: true } as const
  const more = random.one([[], [], [location], [kinds], [kinds, location], [open]])
  const by = random.one([
    [],
    ['workspace_id'],
    ['location_id'],
    ['kind', 'workspace_id'],
    ['location_id', 'kind'],
  ])
  return { ...query, where: { op: 'and', of: [where, ...more] }, by, byDay: random.chance(0.5) }
}

/** Answers as contexts do. */
async function answered(store: Documents, query: DaySumsQuery, entity = Summed): Promise<DaySum[]> {
  const rows = store.collection(entity)
  const shape = shapeOf(entity)
  if (!shape) throw new Error('no sums are declared')
  return (await rows.daySums?.read(query)) ?? countedSums(shape, query, rows.group)
}

async function expectSums(store: Documents, random: Random, queries: number, entity = Summed): Promise<void> {
  const rows = (await store.collection(entity).find({ where: all })) as readonly Stored[]
  for (let place = 0; place < queries; place++) {
    const query = randomQuery(random)
    const told = (await answered(store, query, entity)).map(comparable).toSorted()
    expect({ query, told }).toEqual({
      query,
      told: plainSums(rows, query, entity).map(comparable).toSorted(),
    })
  }
}

/** The same sums, from the rows alone. */
function plainSums(rows: readonly Stored[], query: DaySumsQuery, entity: AnyEntity): DaySum[] {
  const { values: valued = [], set = [] } = entity.daySums ?? {}
  const { date_from, date_to, timezone } = query.within
  const groups = new Map<string, { keys: DaySum['keys']; day: string; rows: Stored[] }>()
  for (const row of rows) {
    if (typeof row.seen_at !== 'string' || row.removed_at != null || !fits(row, query)) continue
    const day = dayIn(timezone, new Date(row.seen_at))
    if (day < date_from || day > date_to) continue
    const keys = Object.fromEntries(query.by.map((field) => [field, (row[field] ?? null) as string | null]))
    const key = JSON.stringify([keys, query.byDay ? day : ''])
    const group = groups.get(key) ?? { keys, day, rows: [] }
    groups.set(key, group)
    group.rows.push(row)
  }
  return [...groups.values()].map(({ keys, day, rows: own }) => ({
    keys,
    ...(query.byDay ? { day } : {}),
    n: own.length,
    last:
      own
        .map(({ seen_at }) => String(seen_at))
        .toSorted()
        .at(-1) ?? '',
    values: Object.fromEntries(
      valued.map((field: string) => [
        field,
        [...Map.groupBy(own, (row) => (row[field] ?? null) as string | null)].map(([value, some]) => ({
          value,
          n: some.length,
        })),
      ]),
    ),
    set: Object.fromEntries(
      set.map((field: string) => [field, own.filter((row) => row[field] != null).length]),
    ),
  }))
}

/** Whether a row meets the conditions of `randomQuery`. */
const fits = (row: Stored, { where }: DaySumsQuery): boolean => meets(row, where ?? all)

function meets(row: Stored, tree: NonNullable<DaySumsQuery['where']>): boolean {
  if (tree.op === 'and') return tree.of.every((part) => meets(row, part))
  const value = 'field' in tree ? ((row[tree.field] ?? null) as string | null) : null
  if (tree.op === 'in') return tree.values.includes(value)
  return tree.op === 'eq' && value === tree.value
}

const comparable = ({ values, ...sum }: DaySum): string =>
  JSON.stringify({
    ...sum,
    values: Object.fromEntries(
      Object.entries(values).map(([field, list]) => [
        field,
        list.map(({ value, n }) => JSON.stringify([value, n])).toSorted(),
      ]),
    ),
  })
