import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { defineEntity, defineOperation, definePlugin, foreignEntity } from 'renown'
import * as v from 'valibot'
import { AgentKey } from '../../../core/auth/AgentKey'
import {
  clampOf,
  heldKey,
  markContext,
  readContext,
  readRows,
  writeContext,
} from '../../../core/contexts/context'
import { readerView } from '../../../core/contexts/reader-view'
import { createSources } from '../../../core/contexts/sources'
import type { CredentialInfo } from '../../../core/contracts/context'
import { everything, type Where, where } from '../../../core/contracts/where'
import { BusinessLocation, Workspace } from '../../../core/product/tenancy-plugin'
import { type Gate, startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'
import { sampleRow } from '../../support/sample-row'

const runs = process.env.RENOWN_LONG ? 20_000 : 300

const Placed = defineEntity({
  name: 'Placed',
  summary: 'A row that hangs on a location',
  idPrefix: 'pla',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list'],
  fields: { location_id: v.string(), text: v.string() },
  sortable: ['created_date'],
})
const placed = definePlugin({
  name: 'placed',
  renown: '^1.0.0',
  entities: [Placed],
  operations: [
    defineOperation({
      name: 'place',
      summary: 'Puts a row on a location',
      class: 'draft',
      crossAgency: 'own',
      input: v.strictObject({ location_id: v.string() }),
      output: v.object({ id: v.string() }),
      run: (ctx, { location_id }) => ctx.rows(Placed).insert({ location_id, text: 'x' }),
    }),
  ],
})

let gate: Gate
const deps = () => ({
  registry: gate.registry,
  sources: createSources(gate.documents, gate.owner.columns as never),
  now: gate.clock.now,
})
const callerOf = (tenant: Gate['tenant'], platform = false) => ({
  workspace: { id: tenant.workspaceId, agency_id: tenant.agencyId, timezone: 'UTC', is_home: true },
  credential: {
    kind: 'agent_key',
    agency_id: tenant.agencyId,
    platform,
    scopes: ['read', 'write'],
  } as CredentialInfo,
  requestId: 'request-1',
})

beforeAll(async () => {
  gate = await startGate({ plugins: [notes, placed] })
  for (const tenant of [gate.tenant, gate.stranger]) {
    for (const stage of ['new', 'done'] as const) {
      await gate.put(Note, { ...aNote, stage, title: `of ${tenant.agencyId}`, score: 5 }, tenant.workspaceId)
    }
  }
})
afterAll(() => gate.stop())

test('a person reads by id the workspaces that are theirs, and no other of the agency', async () => {
  const { workspaceId, otherWorkspaceId } = gate.tenant
  const caller = callerOf(gate.tenant)
  const credential: CredentialInfo = { ...caller.credential, workspace_ids: [workspaceId] }
  const rows = readContext(deps(), { ...caller, credential }).rows(Workspace)
  expect((await rows.get(workspaceId))?.id).toBe(workspaceId)
  expect(await rows.get(otherWorkspaceId)).toBeNull()
  expect(await rows.get(gate.stranger.workspaceId)).toBeNull()
})

describe('the clamp', () => {
  const leaf: fc.Arbitrary<Where> = fc.oneof(
    fc.record({
      op: fc.constantFrom('eq', 'ne'),
      field: fc.constantFrom('stage', 'title', 'workspace_id'),
      value: fc.constantFrom('new', 'x', null),
    }),
    fc.record({
      op: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
      field: fc.constant('score'),
      value: fc.integer({ min: -1, max: 9 }),
    }),
    fc.record({
      op: fc.constantFrom('in', 'nin'),
      field: fc.constant('stage'),
      values: fc.subarray(['new', 'done', 'x']),
    }),
    fc.record({ op: fc.constant('exists'), field: fc.constantFrom('slug', 'title'), value: fc.boolean() }),
  ) as fc.Arbitrary<Where>
  const { tree } = fc.letrec<{ tree: Where }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.record({
        op: fc.constantFrom('and', 'or', 'nor'),
        of: fc.array(tie('tree'), { maxLength: 3 }),
      }) as fc.Arbitrary<Where>,
      fc.record({ op: fc.constant('not'), of: tie('tree') }) as fc.Arbitrary<Where>,
    ),
  }))

  test("no condition reaches a row of another workspace, by a plugin's own hand neither", async () => {
    const rows = readContext(deps(), callerOf(gate.tenant)).rows(Note)
    const foreign = await gate.documents
      .collection(Note)
      .find({ where: where.eq('workspace_id', gate.stranger.workspaceId) })
    await fc.assert(
      fc.asyncProperty(tree, async (condition) => {
        const found = await rows.list({ where: condition })
        expect(found.filter((row) => row.workspace_id !== gate.tenant.workspaceId)).toEqual([])
        expect(await rows.count(condition)).toBe(found.length)
      }),
      { numRuns: runs },
    )
    for (const { id } of foreign) expect(await rows.get(id)).toBeNull()
    expect(await rows.count(everything)).toBe(2)
  })

  test('holds for lists of chosen fields, which reach no field that whole rows keep back', async () => {
    const own = readContext(deps(), callerOf(gate.tenant)).rows(Note)
    const found = await own.list({ fields: ['title', 'stage'] })
    expect(found).toEqual((await own.list()).map(({ id, title, stage }) => ({ id, title, stage })))
    const foreign = foreignEntity('Note', { title: v.string() })
    const reader = readContext(deps(), callerOf(gate.tenant)).rows(foreign)
    const [row] = await reader.list({ fields: ['title', 'secret'] as never })
    expect(Object.keys(row ?? {}).sort()).toEqual(['id', 'title'])
    await expect(own.list({ fields: ['nothing'] as never })).rejects.toThrow('Note declares no field nothing')
  })

  test('entries of a documents entity, or of a field that the reader does not see, are not grouped', async () => {
    const rows = readContext(deps(), callerOf(gate.tenant)).rows(foreignEntity('Note', { title: v.string() }))
    const query = (of: string) => rows.groupEntries({ of, by: [], measures: [{ as: 'n', fn: 'count' }] })
    await expect(query('secret')).rejects.toThrow('Note has no readable field secret')
    await expect(query('title')).rejects.toThrow('stored in documents')
  })

  test('lets a credential list the workspaces it reads: its agency, or all for the platform', async () => {
    const listed = async (platform: boolean) =>
      (await readContext(deps(), callerOf(gate.tenant, platform)).rows(Workspace).list()).length
    expect([await listed(false), await listed(true)]).toEqual([2, 6])
    const seen = async (platform: boolean, id: string) =>
      (await readContext(deps(), callerOf(gate.tenant, platform)).rows(Workspace).get(id))?.id ?? null
    const { stranger, tenant } = gate
    expect(await seen(false, tenant.otherWorkspaceId)).toBe(tenant.otherWorkspaceId)
    expect(await seen(false, stranger.workspaceId)).toBeNull()
    expect(await seen(true, stranger.workspaceId)).toBe(stranger.workspaceId)
  })

  test('shows the workspace as it is, however often it was asked for before', async () => {
    const named = async () =>
      (await readContext(deps(), callerOf(gate.tenant)).rows(Workspace).get(gate.tenant.otherWorkspaceId))
        ?.name
    for (const name of ['One name', 'Another name']) {
      await gate.owner.rows(Workspace).update(gate.tenant.otherWorkspaceId, { name })
      expect([await named(), await named()]).toEqual([name, name])
    }
  })

  test('never offers what stands above workspaces', () => {
    expect(() => clampOf(AgentKey, callerOf(gate.tenant))).toThrow('never offered')
    expect(() => readContext(deps(), callerOf(gate.tenant)).rows(AgentKey)).toThrow('never offered')
  })

  test('is taken from the registered declaration, not from one that is handed in', async () => {
    const { secret, ...fields } = Note.fields
    expect(secret).toBeDefined()
    const above = { by: 'self', field: 'id' }
    const lying = { ...Note, scope: above, fields, hidden: [] } as unknown as typeof Note
    const found = await readContext(deps(), callerOf(gate.tenant)).rows(lying).list()
    expect(new Set(found.map((row) => row.workspace_id))).toEqual(new Set([gate.tenant.workspaceId]))
    const writing = writeContext(deps(), callerOf(gate.tenant), 'notes', false).rows(lying)
    expect(() => writing.insert({ ...aNote })).toThrow('belongs to another plugin')
  })
})

describe('writing', () => {
  const writer = () => writeContext(deps(), callerOf(gate.tenant), 'notes', false).rows(Note)

  test('stays in the workspace: a row of another one cannot be changed', async () => {
    const foreign = await gate.put(Note, aNote, gate.stranger.workspaceId)
    expect(await writer().update(foreign.id, { title: 'taken' })).toBeNull()
    expect((await gate.documents.collection(Note).get(foreign.id))?.title).toBe(aNote.title)
  })

  test('with a condition changes a row only while it matches, and a dry run says the same', async () => {
    const { id } = await writer().insert({ ...aNote, score: 5 })
    const dry = writeContext(deps(), callerOf(gate.tenant), 'notes', true).rows(Note)
    for (const rows of [dry, writer()]) {
      expect(await rows.update(id, { title: 'late' }, where.eq('score', 4))).toBeNull()
      expect(await rows.update(id, { title: 'in time' }, where.eq('score', 5))).toMatchObject({
        title: 'in time',
      })
    }
    const foreign = await gate.put(Note, aNote, gate.stranger.workspaceId)
    expect(await writer().update(foreign.id, { title: 'taken' }, where.eq('title', aNote.title))).toBeNull()
  })

  test('stays in the workspace whatever workspace a plugin hands in', async () => {
    const smuggled = {
      ...aNote,
      workspace_id: gate.stranger.workspaceId,
      created_date: '2000-01-01T00:00:00.000Z',
    }
    const row = await writer().insert(smuggled as typeof aNote)
    expect(row.workspace_id).toBe(gate.tenant.workspaceId)
    expect(row.created_date).not.toBe(smuggled.created_date)
  })

  test('checks changes as it checks rows, removes on undefined, and keeps what never changes', async () => {
    const { id } = await writer().insert({ ...aNote, score: 5 })
    gate.clock.advance(10)
    const changed = await writer().update(id, { stage: 'done', score: undefined })
    expect(changed).toMatchObject({ id, stage: 'done' })
    expect(changed).not.toHaveProperty('score')
    expect(changed?.updated_date).not.toBe(changed?.created_date ?? '')
    for (const changes of [
      { stage: 'gone' },
      { score: 101 },
      { workspace_id: 'x' },
      { id: 'x' },
      { created_date: 'x' },
      { nope: 1 },
      { title: undefined },
      { title: '\0' },
    ]) {
      await expect(writer().update(id, changes as object)).rejects.toThrow('cannot be stored')
    }
  })

  test('of what the entity does not declare is refused, whatever the plugin hands in', async () => {
    const bad = [
      { ...aNote, extra: 1 },
      { ...aNote, title: 5 },
      { title: 'x' },
      { ...aNote, score: Number.NaN },
      { ...aNote, title: '\uD800' },
    ]
    for (const row of bad) await expect(writer().insert(row as never)).rejects.toThrow('cannot be stored')
  })

  test('an id that is there already is a conflict', async () => {
    const { id } = await writer().insert(aNote)
    await expect(writer().insert({ ...aNote, id })).rejects.toThrow('has the same id')
  })

  test("cannot hang a row on another workspace's location", async () => {
    const own = await gate.put(BusinessLocation, sampleRow(BusinessLocation, 'own') as never)
    const foreign = await gate.put(
      BusinessLocation,
      sampleRow(BusinessLocation, 'theirs') as never,
      gate.stranger.workspaceId,
    )
    expect((await gate.call('place', { location_id: own.id })).status).toBe(200)
    for (const [location_id, status] of [
      [foreign.id, 403],
      ['loc_none', 404],
    ] as const) {
      expect((await gate.call('place', { location_id })).status).toBe(status)
      // A plugin that found the id elsewhere is refused as well.
      const rows = writeContext(deps(), callerOf(gate.tenant), 'placed', false).rows(Placed)
      await expect(rows.insert({ location_id, text: 'x' })).rejects.toMatchObject({
        code: 'invalid_field',
        details: { errors: [{ pointer: '/location_id', code: 'not_in_workspace' }] },
      })
    }
  })

  test("cannot move a row to another workspace's location", async () => {
    const location = (title: string, workspaceId?: string) =>
      gate.put(BusinessLocation, sampleRow(BusinessLocation, title) as never, workspaceId)
    const first = await location('first')
    const second = await location('second')
    const foreign = await location('foreign', gate.stranger.workspaceId)
    for (const dryRun of [true, false]) {
      const rows = writeContext(deps(), callerOf(gate.tenant), 'placed', dryRun).rows(Placed)
      const { id } = await gate.put(Placed, { location_id: first.id, text: 'x' })
      for (const location_id of [foreign.id, 'loc_none'])
        await expect(rows.update(id, { location_id })).rejects.toThrow(
          'does not name a location of the workspace',
        )
      expect(await rows.update(id, { location_id: second.id })).toMatchObject({ location_id: second.id })
      expect(await rows.get(id)).toMatchObject({ location_id: dryRun ? first.id : second.id })
    }
  })

  test('that is only tried answers the row as it would be, and changes nothing', async () => {
    const { id } = await writer().insert({ ...aNote, score: 5 })
    const trying = writeContext(deps(), callerOf(gate.tenant), 'notes', true).rows(Note)
    const tried = await trying.update(id, { title: 'tried', score: undefined })
    expect(tried).toMatchObject({ id, title: 'tried' })
    expect(tried).not.toHaveProperty('score')
    expect(await writer().get(id)).toMatchObject({ title: aNote.title, score: 5 })
  })

  test('a mark stamps instants only', async () => {
    const rows = markContext(deps(), callerOf(gate.tenant), 'notes', false).rows(Note)
    await expect(rows.stamp(['x'], 'title')).rejects.toThrow('not a date field')
    await expect(rows.stamp(['x'], 'seen_at', 'title')).rejects.toThrow(
      'Note.title is not a boolean and cannot be set with a stamp',
    )
    const { id } = await gate.put(Note, aNote)
    const trying = markContext(deps(), callerOf(gate.tenant), 'notes', true).rows(Note)
    expect(await trying.stamp([id, 'not_gone'], 'seen_at', 'is_archived')).toEqual([id])
    expect(await rows.get(id)).toMatchObject({ is_archived: false })
    expect(await rows.stamp([id, id, 'not_gone'], 'seen_at', 'is_archived')).toEqual([id])
    const stamped = await rows.get(id)
    expect(stamped).toMatchObject({ is_archived: true, seen_at: stamped?.updated_date })
    expect(await rows.stamp([id], 'seen_at', 'is_archived')).toEqual([])
    expect(await trying.stamp([id], 'seen_at')).toEqual([])
    expect(Object.keys(rows)).toEqual([
      'get',
      'list',
      'pages',
      'each',
      'count',
      'group',
      'daySums',
      'groupEntries',
      'stamp',
    ])
  })
})

describe("the owner's side", () => {
  test('reads and writes across workspaces, checked alike', async () => {
    const rows = gate.owner.rows(Note)
    expect(await rows.count()).toBeGreaterThan(3)
    const { id } = await rows.insert({ ...aNote, workspace_id: gate.stranger.workspaceId })
    expect(
      await rows.updateWhere(where.and(where.eq('id', id), where.eq('stage', 'done')), { stage: 'new' }),
    ).toBeNull()
    expect(await rows.updateWhere(where.eq('id', id), { stage: 'done' })).toMatchObject({ id, stage: 'done' })
    await expect(rows.insert({ ...aNote, title: 5, workspace_id: 'x' } as never)).rejects.toThrow(
      'cannot be stored',
    )
  })

  test("never writes another plugin's rows, and refuses entities that are not there", () => {
    const foreign = foreignEntity('Note', { title: v.string() })
    expect(() => gate.owner.rows(foreign).insert({ title: 'x', workspace_id: 'x' } as never)).toThrow(
      'another plugin',
    )
    expect(() => gate.owner.rows(foreignEntity('Ghost', {}))).toThrow('No loaded plugin declares')
    expect(() => gate.owner.rows(foreignEntity('Note', { body: v.string() }))).toThrow('which does not exist')
  })
})

describe('many rows of the owner', () => {
  const note = (n: number, more: object = {}) => ({
    id: `not_many${n}`,
    workspace_id: gate.tenant.workspaceId,
    title: `many ${n}`,
    stage: 'new' as const,
    secret: 's',
    is_archived: false,
    ...more,
  })
  const rows = () => gate.owner.rows(Note)
  const ours = { op: 'startsWith', field: 'title', value: 'many ' } as const

  test('are inserted with their own past, more of them than one go takes, and removed again', async () => {
    const past = { created_date: '2024-02-29T00:00:00.000Z' }
    const many = Array.from({ length: 450 }, (_, n) => note(n, n === 0 ? past : {}))
    expect(await rows().insertMany(many)).toBe(450)
    expect(await rows().get('not_many0')).toMatchObject({ ...past, updated_date: past.created_date })
    expect(await rows().removeWhere(where.and(ours, where.ne('id', 'not_many0')))).toBe(449)
    expect(await rows().removeWhere(ours)).toBe(1)
    expect(await rows().count(ours)).toBe(0)
  })

  test('are checked one by one; a row that is taken is a conflict', async () => {
    await expect(rows().insertMany([note(1), note(2, { stage: 'cold' })])).rejects.toThrow('stage')
    expect(await rows().count(ours)).toBe(0)
    await expect(rows().insertMany([note(1), note(1)])).rejects.toThrow('same id')
    await rows().removeWhere(ours)
  })
})

test('a mark of another plugin stamps nothing, and a stamp names fields that are there', async () => {
  const other = markContext(deps(), callerOf(gate.tenant), 'placed', false).rows(Note)
  expect(() => other.stamp(['x'], 'seen_at')).toThrow('Note belongs to another plugin')
  const own = markContext(deps(), callerOf(gate.tenant), 'notes', false).rows(Note)
  await expect(own.stamp([], 'seen_at', 'ghost' as never)).rejects.toThrow('Note has no readable field ghost')
  await expect(own.stamp([], 'ghost' as never)).rejects.toThrow('Note has no readable field ghost')
})

test('a list without a sort comes in the order that the entity declares', async () => {
  const rows = readContext(deps(), callerOf(gate.tenant)).rows(Note)
  const dates = (await rows.list()).map(({ created_date }) => created_date)
  expect(dates.length).toBeGreaterThan(1)
  expect(dates).toEqual(dates.toSorted().reverse())
})

describe('a row by its id', () => {
  const row = { id: 'not_1', workspace_id: 'wsp_1' }
  /** What a reader is asked for, in a store of documents or of columns. */
  const asking = (store: 'documents' | 'columns', clamp: Where, found: object | null = row) => {
    const asked: unknown[] = []
    const reader = {
      get: async (id: string) => asked.push(id) && found,
      find: async (query: unknown) => asked.push(query) && [found].filter(Boolean),
    }
    const entity = { ...Note, store } as unknown as typeof Note
    const rows = readRows<typeof Note>(reader as never, entity, clamp, readerView(entity))
    return { asked, get: () => rows.get('not_1') as Promise<unknown> }
  }
  const own = where.eq('workspace_id', 'wsp_1')

  test('is found by the id in documents, and by the key with its workspace in columns', async () => {
    const documents = asking('documents', own)
    expect([await documents.get(), documents.asked]).toEqual([row, ['not_1']])
    const columns = asking('columns', own)
    const byKey = { where: where.and(own, where.eq('id', 'not_1')), limit: 1 }
    expect([await columns.get(), columns.asked]).toEqual([row, [byKey]])
    const unclamped = asking('columns', everything)
    expect([await unclamped.get(), unclamped.asked]).toEqual([row, ['not_1']])
  })

  test.each(['documents', 'columns'] as const)(
    'is null in %s where it is of another workspace or not there',
    async (store) => {
      for (const clamp of [
        where.eq('workspace_id', 'wsp_2'),
        where.in('id', ['not_2']),
        where.and(own, where.eq('id', 'not_2')),
        where.or(own),
        where.ne('workspace_id', 'wsp_2'),
      ])
        expect(await asking(store, clamp).get()).toBeNull()
      expect(await asking(store, where.in('id', ['not_1'])).get()).toBe(row)
      expect(await asking(store, where.and(own, where.eq('id', 'not_1'))).get()).toBe(row)
      expect(await asking(store, own, null).get()).toBeNull()
    },
  )
})

test('a row that was read to find what a call names is not read again, once', async () => {
  const [note] = await readContext(deps(), callerOf(gate.tenant)).rows(Note).list({ limit: 1 })
  if (!note) throw new Error('There is no note.')
  const stored = await gate.documents.collection(gate.registry.entities.get('Note') ?? Note).get(note.id)
  if (!stored) throw new Error('There is no stored note.')
  const held = new Map([[heldKey(Note, note.id), { ...stored, title: 'as it was read' }]])
  const rows = readContext({ ...deps(), held }, callerOf(gate.tenant)).rows(Note)
  const titles = [await rows.get(note.id), await rows.get(note.id)].map((row) => row?.title)
  expect(titles).toEqual(['as it was read', note.title])
  expect(await rows.get('not_none')).toBeNull()
  // It is behind the same clamp as any other row.
  const foreign = new Map([[heldKey(Note, note.id), stored]])
  const strange = readContext({ ...deps(), held: foreign }, callerOf(gate.stranger)).rows(Note)
  expect(await strange.get(note.id)).toBeNull()
})

test('a row that is not there is null for a reader of some of its fields too', async () => {
  const asOther = foreignEntity('Note', { title: v.string() })
  expect(await readContext(deps(), callerOf(gate.tenant)).rows(asOther).get('not_none')).toBeNull()
})
