import { describe, expect, test } from 'bun:test'
import { defineEntity, definePlugin, foreignEntity } from 'renown'
import * as v from 'valibot'
import { ownerRows } from '../../../core/contexts/owner'
import type { OwnerContext } from '../../../core/contracts/plugin'
import { where } from '../../../core/contracts/where'
import { Job } from '../../../core/jobs/Job'
import { corePlugins } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/product/tenancy-plugin'
import { AuditEntry } from '../../../core/tenancy/audit/AuditEntry'
import { Notification } from '../../../core/tenancy/news/Notification'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { Workspace } from '../../../core/tenancy/Workspace'
import { putRow } from '../../support/any-state'
import { startGate } from '../../support/harness'
import { aNote, Note, notes } from '../../support/notes-plugin'
import { part } from '../../support/part'
import { jobs } from '../../support/platforms'
import { SampleDay, sampleDayTable } from '../../support/sample-day'
import { sampleRow } from '../../support/sample-row'
import { workbench } from '../../support/workbench'

test('without workspaces in the registry none is inactive, and work may begin for any', async () => {
  const { owner, stop } = await workbench([])
  expect(await owner.inactiveWorkspaces()).toEqual([])
  expect(await owner.requireActive('wsp_1')).toBeUndefined()
  await stop()
})

test('chance is that of the product', async () => {
  const { owner, stop } = await workbench([], {}, { random: () => 0.25 })
  expect(owner.random()).toBe(0.25)
  await stop()
})

test('work begins for active workspaces alone', async () => {
  const gate = await startGate()
  try {
    const { workspaceId, otherWorkspaceId } = gate.tenant
    await gate.owner.rows(Workspace).update(otherWorkspaceId, { is_active: false })
    expect(await gate.owner.inactiveWorkspaces()).toEqual([otherWorkspaceId])
    expect(await gate.owner.requireActive(workspaceId)).toBeUndefined()
    await expect(gate.owner.requireActive(otherWorkspaceId)).rejects.toMatchObject({
      code: 'workspace_inactive',
    })
  } finally {
    await gate.stop()
  }
})

test('jobs of all workspaces of an agency take their turns as one, and without workspaces each as its own', async () => {
  const queues = { count: { summary: 'Counts', payload: v.strictObject({}), run: async () => {} } }
  const counting = definePlugin({ name: 'counting', renown: '^1.0.0', queues })
  const tenantOf = async (owner: OwnerContext, workspace_id: string) => {
    await owner.enqueue('count', { workspace_id, payload: {}, key: workspace_id })
    const [job] = await owner.rows(Job).list({ where: where.eq('key', workspace_id) })
    return job?.tenant
  }
  const gate = await startGate({ plugins: [counting, jobs] })
  const { agencyId, workspaceId, otherWorkspaceId } = gate.tenant
  for (const id of [workspaceId, otherWorkspaceId]) expect(await tenantOf(gate.owner, id)).toBe(agencyId)
  await gate.stop()
  const { owner, stop } = await workbench([counting, jobs])
  expect(await tenantOf(owner, workspaceId)).toBe(workspaceId)
  await stop()
})

const changing = ['insert', 'insertMany', 'update', 'updateWhere', 'updateMany', 'removeWhere'] as const

describe('no method changes rows', () => {
  const counted = definePlugin({
    name: 'counted',
    renown: '^1.0.0',
    entities: [SampleDay],
    tables: [sampleDayTable],
  })
  const shared = defineEntity({ ...Note, shared: ['stage'] })
  const owning = definePlugin({ ...notes, entities: [shared] })
  const asOther = foreignEntity('Note', { title: v.string(), stage: v.string() }, { writes: ['stage'] })

  test.each(changing)('%s of an entity that columns serve', async (method) => {
    const bench = await workbench([counted])
    const call = bench.owner.rows(SampleDay)[method] as (...given: unknown[]) => unknown
    expect(() => call({})).toThrow('SampleDay is served from columns and cannot be written from here')
    await bench.stop()
  })

  test.each(['insert', 'insertMany', 'removeWhere'] as const)("%s of another plugin's", async (method) => {
    const bench = await workbench([owning])
    const call = bench.owner.rows(asOther)[method] as (...given: unknown[]) => unknown
    expect(() => call({})).toThrow('Note belongs to another plugin and cannot be written from here')
    await bench.stop()
  })

  test("another plugin's rows change in the fields that both sides name, under conditions that they may read", async () => {
    const bench = await workbench([owning])
    const own = bench.owner.rows(shared)
    const { id } = await own.insert({ ...aNote, workspace_id: 'wsp_1' })
    const rows = bench.owner.rows(asOther)
    const byId = where.eq('id', id)
    expect(await rows.update(id, { stage: 'done' })).toMatchObject({ id, stage: 'done' })
    expect(await rows.updateWhere(byId, { stage: 'new' })).toEqual({
      id,
      stage: 'new',
      title: aNote.title,
      workspace_id: 'wsp_1',
      created_date: expect.any(String),
      updated_date: expect.any(String),
    })
    expect(await rows.updateMany(byId, { stage: 'done' })).toBe(1)
    expect(await rows.update('not_0', { stage: 'done' })).toBeNull()
    const secret = where.eq('secret', aNote.secret)
    for (const change of [
      () => rows.update(id, { title: 'x' } as never),
      () => rows.updateWhere(byId, { title: 'x' } as never),
      () => rows.updateMany(byId, { title: 'x' } as never),
    ])
      await expect(change()).rejects.toThrow('Note.title belongs to another plugin and is not shared')
    for (const change of [
      () => rows.updateWhere(secret, { stage: 'new' }),
      () => rows.updateMany(secret, { stage: 'new' }),
    ])
      await expect(change()).rejects.toThrow('Note has no readable field secret')
    const readsOnly = bench.owner.rows(foreignEntity('Note', { stage: v.string() }))
    await expect(readsOnly.update(id, { stage: 'new' } as never)).rejects.toThrow(
      'Note.stage is not among `writes` of its `foreignEntity`',
    )
    expect(await own.get(id)).toMatchObject({ stage: 'done', title: aNote.title })
    await bench.stop()
  })
})

test('every service of the system context works, under its old name too', async () => {
  const flushed: string[] = []
  const bench = await workbench([...corePlugins, notes], {}, { flushHits: async () => flushed.push('x') > 0 })
  const { owner } = bench
  await bench.command('agency create', { name: 'Acme' })
  const [workspace] = await owner.rows(Workspace).list()
  const workspace_id = workspace?.id ?? ''
  expect([owner.apiUrl, owner.ingestUrl]).toEqual(['http://localhost:3000', 'http://localhost:3001'])
  expect(owner.newId(Note)).toMatch(/^not_[0-9A-Z]{26}$/)
  expect((await owner.newToken('rnw_test_')).token).toStartWith('rnw_test_')
  expect(await owner.withLock('one', async () => 1)).toBe(1)
  await owner.recordAudit(part({ workspace_id, action: 'location.add', subject: 'x' }))
  const audited = await owner.rows(AuditEntry).list()
  expect(audited.some(({ action }) => action === 'location.add')).toBe(true)
  await owner.notify({ workspace_id, type: 'x', severity: 'info', title: 'News', body: 'x' })
  expect(await owner.rows(Notification).list()).toMatchObject([{ workspace_id, title: 'News' }])
  await putRow(
    owner,
    BusinessLocation,
    part({
      ...sampleRow(BusinessLocation, 'x'),
      id: 'loc_1',
      workspace_id,
    }),
  )
  await owner.syncs.began({ workspace_id, location_id: 'loc_1', kind: 'reviews', source: 'google' })
  expect(await owner.rows(SyncStatus).list()).toMatchObject([{ workspace_id, source: 'google' }])
  expect(await owner.flushHits()).toBe(true)
  expect(flushed).toEqual(['x'])
  owner.changed('sites')
  expect(bench.changed).toEqual(['sites'])
  expect(Object.isFrozen(owner) && Object.isFrozen(owner.product)).toBe(true)
  expect(owner.settings.LIMIT_READS_PER_MINUTE).toBeGreaterThan(0)
  await bench.stop()
})

test('many rows are inserted 200 at a time', async () => {
  const sizes: number[] = []
  const collection = {
    insertMany: async (documents: unknown[]) => {
      sizes.push(documents.length)
      return { failures: [] }
    },
  }
  const rows = ownerRows(collection as never, Note, { now: () => new Date(0) })
  const many = Array.from({ length: 450 }, (_, n) => ({ ...aNote, id: `not_${n}`, workspace_id: 'wsp_1' }))
  expect(await rows.insertMany(many)).toBe(450)
  expect(sizes).toEqual([200, 200, 50])
})
