import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { platformWorld } from '../support/platform-world'

let world: Awaited<ReturnType<typeof platformWorld>>
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'renown-at-once-'))
  writeFileSync(join(folder, 'token'), '1//refresh')
  world = await platformWorld()
})
afterEach(async () => {
  await world.bench.stop()
  rmSync(folder, { recursive: true })
})

const connect = (account_id: string, provider = 'google') =>
  world.bench.command('connection add', {
    provider,
    account_id,
    workspace_id: world.workspace_id,
    token_file: join(folder, 'token'),
  })
const queued = async () =>
  (await world.owner.rows(Job).list({ where: where.eq('queue', 'sync-reviews') }))
    .map(({ key }) => key)
    .sort()
const dueAt = async (location_id = world.location_id) =>
  (await world.owner.rows(ReviewListing).list({ where: where.eq('location_id', location_id) }))[0]?.due_at
const add = async (row: object) =>
  (
    await world.owner.rows(BusinessLocation).insert({
      workspace_id: world.workspace_id,
      business_name: 'Second',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      added_via: 'gbp_oauth',
      google_account_id: 'accounts/111',
      google_location_id: 'locations/333',
      ...row,
    })
  ).id

describe('connecting an account', () => {
  test('reads its locations at once: one that waited for its next try, and one that was never read', async () => {
    const second = await add({})
    const later = new Date(world.bench.now.getTime() + 900_000).toISOString()
    const [listing] = await world.owner.rows(ReviewListing).list()
    await world.owner.rows(ReviewListing).update(listing?.id ?? '', { due_at: later })
    await connect('accounts/111')
    expect(await queued()).toEqual([world.location_id, second].sort())
    const now = world.bench.now.toISOString()
    expect([await dueAt(), await dueAt(second)]).toEqual([now, now])
  })

  test('reads nothing of other accounts, of prospects, of those at rest, and of other workspaces', async () => {
    await add({ google_account_id: 'accounts/999' })
    await add({ google_location_id: 'locations/4', is_prospect: true, is_active: false })
    await add({ google_location_id: 'locations/5', is_active: false })
    await add({ google_location_id: 'locations/6', workspace_id: 'wsp_other' })
    await connect('111')
    expect(await queued()).toEqual([world.location_id])
  })

  test('of a Page reads the Page', async () => {
    const page = await add({
      added_via: undefined,
      google_account_id: undefined,
      google_location_id: undefined,
      facebook_page_id: '777',
    })
    await connect('777', 'facebook')
    expect(await queued()).toEqual([page])
  })

  test('twice puts nothing in twice', async () => {
    await connect('accounts/111')
    await connect('accounts/111')
    expect(await queued()).toEqual([world.location_id])
  })
})
