import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { definePlugin } from 'renown'
import { workspaceProblems } from 'renown/pages'
import * as v from 'valibot'
import { tenancy } from '../../../../core/product/tenancy-plugin'
import { getActiveSyncs } from '../../../../core/tenancy/news/getActiveSyncs'
import { markNotificationsRead } from '../../../../core/tenancy/news/markNotificationsRead'
import { Notification } from '../../../../core/tenancy/news/Notification'
import { SyncStatus } from '../../../../core/tenancy/news/SyncStatus'
import { type Workbench, workbench } from '../../../support/workbench'

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([tenancy])
})
afterEach(() => bench.stop())

const notify = (id: string, given: object = {}, workspace_id = 'wsp_1') =>
  bench.owner.rows(Notification).insert({
    id,
    workspace_id,
    type: 'sync_failed',
    severity: 'warning',
    title: 'A sync failed',
    body: 'It will be tried again.',
    is_read: false,
    ...given,
  })

describe('markNotificationsRead', () => {
  test('sets time and flag on what is unread, and nothing elsewhere', async () => {
    await notify('ntf_1')
    await notify('ntf_2', { is_read: true, read_at: '2026-01-01T00:00:00.000Z' })
    await notify('ntf_3', {}, 'wsp_2')
    const answer = await markNotificationsRead.run(bench.mark('wsp_1', 'tenancy'), {
      notification_ids: ['ntf_1', 'ntf_2', 'ntf_3'],
    })
    expect(answer).toEqual({
      updated: 1,
      already_read: 1,
      not_found: ['ntf_3'],
      read_at: '2026-03-15T12:00:00.000Z',
    })
    const row = (id: string) => bench.owner.rows(Notification).get(id)
    expect(await row('ntf_1')).toMatchObject({ is_read: true, read_at: '2026-03-15T12:00:00.000Z' })
    expect(await row('ntf_2')).toMatchObject({ read_at: '2026-01-01T00:00:00.000Z' })
    expect(await row('ntf_3')).toMatchObject({ is_read: false })
  })

  test('stamps instants and sets booleans only', async () => {
    const rows = bench.mark('wsp_1', 'tenancy').rows(Notification)
    await notify('ntf_1')
    await expect(rows.stamp(['ntf_1'], 'title')).rejects.toThrow('not a date field')
    await expect(rows.stamp(['ntf_1'], 'read_at', 'title')).rejects.toThrow('not a boolean')
  })
})

test('getActiveSyncs lists what runs in the workspace', async () => {
  const sync = (id: string, status: 'running' | 'failed', workspace_id = 'wsp_1') =>
    bench.owner.rows(SyncStatus).insert({
      id,
      workspace_id,
      location_id: 'loc_1',
      kind: 'reviews',
      source: id,
      status,
      items_seen: 0,
      items_changed: 0,
      complete: false,
    })
  await sync('syn_1', 'running')
  await sync('syn_2', 'failed')
  await sync('syn_3', 'running', 'wsp_2')
  const answer = await getActiveSyncs.run(bench.read('wsp_1'), {})
  expect(answer).toMatchObject({ count: 1, checked_at: '2026-03-15T12:00:00.000Z' })
  expect(answer.syncs.map(({ id }) => id)).toEqual(['syn_1'])
  expect(v.is(getActiveSyncs.output, answer)).toBe(true)
})

test('getActiveSyncs never reports as fine what could not be read', async () => {
  const unread = definePlugin({
    name: 'mill',
    summary: 'A mill that cannot be read',
    renown: '^1.0.0',
    needs: ['tenancy'],
    provides: [
      workspaceProblems.with({
        name: 'mill',
        order: 1,
        read: () => Promise.reject(new Error('The mill does not answer')),
      }),
    ],
  })
  const broken = await workbench([tenancy, unread])
  try {
    const answer = await getActiveSyncs.run(broken.read('wsp_1'), {})
    expect(answer).toMatchObject({ all_well: false, problems: [], checked: ['syncs'], not_known: ['mill'] })
    const fine = await getActiveSyncs.run(bench.read('wsp_1'), {})
    expect(fine).toMatchObject({ all_well: true, problems: [], not_known: [] })
  } finally {
    await broken.stop()
  }
})
