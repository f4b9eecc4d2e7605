import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { defineEntity, defineOperation, definePlugin, defineStates, field, moveState, where } from 'renown'
import * as v from 'valibot'
import { checkInitial } from '../../../core/contexts/state-guard'
import type { Documents } from '../../../core/stores/documents/port'
import { type Gate, startGate } from '../../support/harness'
import { describeGateStores } from '../../support/mongo'

const states = ['draft', 'sent', 'failed'] as const

const letterStatus = defineStates({
  entity: 'Letter',
  field: 'status',
  initial: ['draft'],
  moves: { draft: ['sent', 'failed'], sent: [], failed: ['draft'] },
  stamps: { every: 'moved_at', sent: 'sent_at' },
})

const Letter = defineEntity({
  name: 'Letter',
  summary: 'A letter of a plugin that somebody else wrote',
  idPrefix: 'let',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: ['list', 'get'],
  fields: {
    title: field.text('Title'),
    status: v.optional(field.oneOf(states, 'Status')),
    sent_at: v.optional(v.nullable(field.instant('When it was sent'))),
    moved_at: v.optional(field.instant('When its status changed')),
    is_read: v.optional(field.flag('It was read')),
    read_at: v.optional(field.instant('When it was read')),
  },
  states: [letterStatus],
  sortable: ['created_date'],
})

const writing = ['draft', 'queue', 'setup'] as const

/** Stores whatever it is given: what an author may write by mistake, or on purpose. */
const write = (kind: (typeof writing)[number]) =>
  defineOperation({
    name: `${kind}Letter`,
    summary: 'Inserts or changes a letter as it is told',
    class: kind,
    crossAgency: 'own',
    input: v.strictObject({
      id: v.optional(field.freeId('Id', 'The letter may not exist yet')),
      row: field.anything('The row'),
    }),
    output: v.object({ id: field.text('Id') }),
    async run(ctx, { id, row }) {
      const rows = ctx.rows(Letter)
      const given = row as { title: string }
      const stored = id === undefined ? await rows.insert(given) : await rows.update(id, given)
      return { id: stored?.id ?? 'none' }
    },
  })

const stamp = defineOperation({
  name: 'stampLetters',
  summary: 'Stamps a field of a letter',
  class: 'mark',
  crossAgency: 'own',
  input: v.strictObject({ id: field.freeId('Id', 'The context refuses it'), field: field.text('Field') }),
  output: v.object({ stamped: v.array(v.string()) }),
  run: async (ctx, { id, field: name }) => ({
    stamped: await ctx.rows(Letter).stamp([id], name as 'read_at', 'is_read'),
  }),
})

const letters = definePlugin({
  name: 'letters',
  renown: '^1.0.0',
  entities: [Letter],
  operations: [...writing.map(write), stamp],
})

const title = 'Hello'
const at = '2026-01-02T03:04:05.678Z'

test('a new row may carry the stamp of its own state and of every move, and of no other state', () => {
  const machine = defineStates({
    entity: 'Letter',
    field: 'status',
    initial: ['draft', 'sent'],
    moves: { draft: ['sent', 'failed'], sent: [], failed: ['draft'] },
    stamps: { every: 'moved_at', sent: 'sent_at' },
  })
  const start = (row: object) => () => checkInitial([machine], { title, ...row })
  for (const row of [
    { status: 'sent', sent_at: at },
    { status: 'sent', sent_at: at, moved_at: at },
    { status: 'draft', moved_at: at },
    { status: 'draft', sent_at: null },
    { sent_at: undefined },
  ])
    expect(start(row)).not.toThrow()
  expect(start({ status: 'draft', sent_at: at })).toThrow(
    'Letter.sent_at is the time of the state sent. A new row cannot carry it.',
  )
  expect(start({ sent_at: at })).toThrow('Letter.sent_at is the time of the state sent')
  expect(start({ status: 'failed' })).toThrow()
})

describeGateStores('States on %s', (_, open) => {
  let documents: Documents | undefined
  let gate: Gate
  const rows = () => gate.owner.rows(Letter)
  const stateOf = async (id: string) => (await rows().get(id))?.status
  const now = () => ({ now: gate.clock.now() })
  beforeAll(async () => {
    documents = await open()
    gate = await startGate({ plugins: [letters], ...(documents ? { documents } : {}) })
  })
  afterAll(async () => {
    await gate.stop()
    await documents?.close()
  })

  describe.each(writing)('a %s operation of a stranger', (kind) => {
    const call = (body: object) => gate.call(`${kind}Letter`, body)
    test('inserts in an initial state or in none', async () => {
      for (const row of [
        { title, status: 'draft' },
        { title },
        { title, status: 'draft', moved_at: at, sent_at: null },
      ]) {
        const answer = await call({ row })
        expect([answer.status, row]).toEqual([200, row])
      }
      const before = await rows().count()
      for (const row of [
        { title, status: 'sent' },
        { title, status: 'failed' },
        { title, status: 'draft', sent_at: at },
        { title, sent_at: at },
      ]) {
        for (const dry_run of [true, false]) {
          const answer = await call({ row, dry_run })
          expect([answer.status, row]).toEqual([500, row])
        }
      }
      expect(await rows().count()).toBe(before)
    })
    test('moves no row, forges no move and writes no stamp of a move', async () => {
      const { id } = await gate.put(Letter, { title, status: 'draft' })
      for (const row of [
        { status: 'sent' },
        { status: 'failed' },
        { status: 'draft' },
        { sent_at: at },
        { moved_at: at },
        { title: 'Other', status: 'sent', sent_at: at },
      ]) {
        for (const dry_run of [true, false]) {
          const answer = await call({ id, row, dry_run })
          expect([answer.status, row]).toEqual([500, row])
        }
      }
      expect(await rows().get(id)).toMatchObject({ title, status: 'draft' })
      expect((await call({ id, row: { title: 'Other' } })).status).toBe(200)
      expect(await rows().get(id)).toMatchObject({ title: 'Other', status: 'draft' })
    })
  })

  test('a mark stamps its own instants and none of a machine', async () => {
    const { id } = await gate.put(Letter, { title, status: 'draft' })
    for (const name of ['sent_at', 'moved_at']) {
      expect((await gate.call('stampLetters', { id, field: name })).status).toBe(500)
    }
    expect(await rows().get(id)).not.toHaveProperty('sent_at')
    expect(await (await gate.call('stampLetters', { id, field: 'read_at' })).json()).toEqual({
      stamped: [id],
    })
  })

  test('a job moves rows by moveState and by nothing else', async () => {
    const { id } = await rows().insert({ title, status: 'draft', workspace_id: gate.tenant.workspaceId })
    const own = where.eq('id', id)
    const bare = { status: 'sent' } as const
    for (const change of [
      () => rows().update(id, bare),
      () => rows().updateWhere(own, bare),
      () => rows().updateMany(own, bare),
      () => rows().update(id, { status: undefined }),
      () => rows().update(id, { ...moveState(letterStatus, 'draft', 'failed', now()), ...bare }),
    ]) {
      await expect((async () => change())()).rejects.toThrow('moveState')
    }
    expect(await stateOf(id)).toBe('draft')
    expect(
      await rows().update(id, { ...moveState(letterStatus, 'draft', 'sent', now()), title: 'Sent' }),
    ).toMatchObject({
      status: 'sent',
      title: 'Sent',
    })
  })

  test('a move stores nothing once the row has left the state that it starts from', async () => {
    const { id } = await gate.put(Letter, { title, status: 'failed' })
    const late = moveState(letterStatus, 'draft', 'sent', now())
    expect(await rows().update(id, late)).toBeNull()
    expect(await rows().updateMany(where.eq('id', id), late)).toBe(0)
    expect(await stateOf(id)).toBe('failed')
  })

  test('a move by another table with the same names is judged by the registered one', async () => {
    const loose = defineStates({
      entity: 'Letter',
      field: 'status',
      initial: ['draft', 'sent'],
      moves: { draft: ['sent'], sent: ['failed'], failed: ['sent'] },
    })
    const { id } = await gate.put(Letter, { title, status: 'failed' })
    const forged = moveState(loose, 'failed', 'sent', now())
    await expect((async () => rows().update(id, forged))()).rejects.toThrow('cannot move from failed to sent')
    expect(await stateOf(id)).toBe('failed')
  })

  test('no row starts in another state, not even one that names its past', async () => {
    const row = { title, status: 'sent', workspace_id: gate.tenant.workspaceId } as const
    await expect((async () => rows().insert(row))()).rejects.toThrow('cannot start as sent')
    await expect((async () => rows().insertMany([row]))()).rejects.toThrow('cannot start as sent')
    for (const past of [{ created_date: at }, { created_date: at, updated_date: at }])
      await expect((async () => rows().insertMany([{ ...row, ...past }]))()).rejects.toThrow(
        'cannot start as sent',
      )
    expect(await rows().insertMany([{ ...row, status: 'draft', created_date: at }])).toBe(1)
  })
})
