import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../core/contracts/where'
import { definePlugin, field, foreignEntity } from '../../../core/kit'
import { corePlugins } from '../../../core/product/core-plugins'
import { UnavailableError } from '../../../core/stores/documents/port'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { getActiveSyncs } from '../../../core/tenancy/news/getActiveSyncs'
import { Notification } from '../../../core/tenancy/news/Notification'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { type Workbench, workbench } from '../../support/workbench'

const Location = foreignEntity(
  'BusinessLocation',
  {
    business_name: field.text('Name'),
    total_reviews: field.number('How many'),
    review_link: field.text('Link'),
  },
  { writes: ['total_reviews'] },
)
const reader = definePlugin({ name: 'reader', renown: '^1.0.0', reads: [Location] })
const target = { workspace_id: 'wsp_1', location_id: 'loc_1', kind: 'reviews', source: 'google' } as const

const randomId = /^(ntf|syn)_[0-9A-HJKMNP-TV-Z]{26}$/
/** What somebody who knows these texts would try. */
const guesses = (texts: readonly string[]) =>
  texts.flatMap((text) => {
    const digest = Bun.SHA256.hash(text, 'hex').slice(0, 26).toUpperCase()
    return [`ntf_${digest}`, `syn_${digest}`]
  })

let bench: Workbench
beforeEach(async () => {
  bench = await workbench([...corePlugins, reader])
})
afterEach(() => bench.stop())

describe('News', () => {
  const news = { workspace_id: 'wsp_1', type: 'test', severity: 'info', title: 'A', body: 'B' } as const

  test('of one name is told once in a workspace', async () => {
    await Promise.all([1, 2, 3].map(() => bench.owner.notify({ ...news, once: 'broken con_1' })))
    await bench.owner.notify({ ...news, once: 'broken con_2' })
    await bench.owner.notify({ ...news, workspace_id: 'wsp_2', once: 'broken con_1' })
    expect(await bench.owner.rows(Notification).count()).toBe(3)
  })

  test('has an id that nobody works out from its name, and does not show the name', async () => {
    const ids = new Set<string | undefined>()
    for (let n = 0; n < 2; n++) {
      await bench.owner.notify({ ...news, once: 'broken con_1' })
      const [row, ...others] = await bench.owner.rows(Notification).list()
      expect([row?.id, others]).toEqual([expect.stringMatching(randomId), []])
      expect(guesses(['wsp_1 broken con_1', 'broken con_1'])).not.toContain(row?.id)
      ids.add(row?.id)
      await bench.owner.rows(Notification).removeWhere(everything)
    }
    // The same news again has another id.
    expect(ids.size).toBe(2)
    expect(Notification.hidden).toContain('once')
  })

  test('that an earlier version told once is not told again', async () => {
    const id = guesses(['wsp_1 broken con_9'])[0] ?? ''
    await bench.owner.rows(Notification).insert({ ...news, id, is_read: false })
    await bench.owner.notify({ ...news, once: 'broken con_9' })
    expect((await bench.owner.rows(Notification).list()).map((row) => row.id)).toEqual([id])
  })

  test('without a name is told each time', async () => {
    await bench.owner.notify(news)
    await bench.owner.notify(news)
    expect(await bench.owner.rows(Notification).count()).toBe(2)
  })
})

describe('A reading of a source', () => {
  const syncs = () => bench.owner.syncs
  const rows = () => bench.owner.rows(SyncStatus).list()

  const place = () =>
    bench.owner.rows(BusinessLocation).insert({
      id: target.location_id,
      workspace_id: 'wsp_1',
      business_name: 'Acme',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    })

  test('of a location that is removed meanwhile leaves nothing behind', async () => {
    await place()
    await syncs().began(target)
    await bench.owner.rows(BusinessLocation).removeWhere(everything)
    await bench.owner.rows(SyncStatus).removeWhere(everything)
    const outcome = { items_seen: 3, items_changed: 1, complete: false } as const
    await syncs().ended(target, { status: 'partial', ...outcome, error: 'no' })
    await syncs().failed(target, new Error('no'))
    await syncs().began(target)
    expect(await rows()).toEqual([])
  })

  test('has a random id, and one row also where several begin at once', async () => {
    await place()
    await Promise.all([1, 2, 3, 4].map(() => syncs().began(target)))
    const [row, ...others] = await rows()
    expect([row?.id, others]).toEqual([expect.stringMatching(randomId), []])
    const { workspace_id, location_id, kind, source } = target
    expect(guesses([JSON.stringify([workspace_id, location_id, kind, source])])).not.toContain(row?.id)
    await bench.owner.rows(SyncStatus).removeWhere(everything)
    await syncs().began(target)
    expect((await rows())[0]?.id).not.toBe(row?.id ?? '')
  })

  test('of an earlier version goes on in its row', async () => {
    await place()
    const id = 'syn_0123456789ABCDEF0123456789'
    const before = { status: 'succeeded', items_seen: 1, items_changed: 1, complete: true } as const
    await bench.owner.rows(SyncStatus).insert({ ...target, ...before, id })
    await syncs().began(target)
    expect(await rows()).toMatchObject([{ id, status: 'running' }])
  })

  test('is seen while it runs, and how it ended afterwards, in one row', async () => {
    await place()
    await syncs().began(target)
    expect(await bench.ask(getActiveSyncs)).toMatchObject({ count: 1, syncs: [{ source: 'google' }] })
    const outcome = { items_seen: 3, items_changed: 1, complete: false } as const
    await syncs().ended(target, { status: 'partial', ...outcome, error: 'no' })
    expect(await rows()).toMatchObject([{ status: 'partial', error: 'no', items_seen: 3 }])
    await syncs().began(target)
    await syncs().failed(target, new UnavailableError('MongoDB cannot be reached'))
    expect(await rows()).toMatchObject([{ status: 'running' }])
    await syncs().failed(target, new Error('no'))
    expect(await rows()).toMatchObject([{ status: 'failed', error: 'no', items_seen: 0, complete: false }])
    await syncs().began(target)
    await syncs().ended(target, { status: 'succeeded', ...outcome, complete: true })
    const [row, ...others] = await rows()
    expect([row?.status, row?.error, row?.complete, others]).toEqual(['succeeded', undefined, true, []])
    expect((await bench.ask(getActiveSyncs)).count).toBe(0)
  })
})

describe("Another plugin's record", () => {
  test('is kept by jobs in the fields that it shares, and in no other', async () => {
    const location = await bench.owner.rows(BusinessLocation).insert({
      workspace_id: 'wsp_1',
      business_name: 'Acme',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    })
    const rows = bench.owner.rows(Location)
    expect(await rows.update(location.id, { total_reviews: 7 })).toMatchObject({ total_reviews: 7 })
    await expect(rows.update(location.id, { business_name: 'Mine' } as never)).rejects.toThrow(
      'is not shared',
    )
    await expect(rows.update(location.id, { review_link: 'x' } as never)).rejects.toThrow(
      'not among `writes`',
    )
    expect(() => rows.removeWhere({ op: 'and', of: [] })).toThrow('belongs to another plugin')
  })

  test('that shares nothing cannot be written', async () => {
    const Foreign = foreignEntity('Notification', { title: field.text('Title') })
    await expect(bench.owner.rows(Foreign).update('ntf_1', { title: 'x' } as never)).rejects.toThrow(
      'is not shared',
    )
  })
})
