import { afterEach, beforeEach, expect, test } from 'bun:test'
import { everything } from '../../core/contracts/where'
import { Job } from '../../core/jobs/Job'
import { withCore } from '../../core/product/core-plugins'
import { builtin } from '../../plugins'
import { type Workbench, workbench } from '../support/workbench'

let bench: Workbench
let workspace_id: string
beforeEach(async () => {
  bench = await workbench(withCore(builtin))
  ;({ workspace_id = '' } = await bench.command('agency create', { name: 'Acme' }))
})
afterEach(() => bench.stop())

const add = async (told: object) =>
  (await bench.command('location create', { business_name: 'Acme', workspace_id, ...told })).location_id ?? ''
const queued = async () => (await bench.owner.rows(Job).list()).map(({ queue }) => queue).toSorted()

test('a business that is added is read at once, its reviews and what it is', async () => {
  await add({
    website: 'https://acme.example',
    google_account_id: 'accounts/1',
    google_location_id: 'locations/2',
  })
  expect(await queued()).toEqual(['enrich-location', 'sync-reviews'])
})

test('of a business of which nothing can be read, nothing is tried', async () => {
  await add({})
  expect(await queued()).toEqual([])
})

test('a prospect is audited at once, and read when it signs', async () => {
  const location_id = await add({ prospect: true, website: 'https://acme.example' })
  expect(await queued()).toEqual(['audit-prospect'])
  await bench.owner.rows(Job).removeWhere(everything)
  await bench.command('location sign', { location_id })
  expect(await queued()).toEqual(['enrich-location'])
})

test('a business that is put to work again is not enriched again', async () => {
  const location_id = await add({ website: 'https://acme.example' })
  await bench.command('location deactivate', { location_id })
  await bench.owner.rows(Job).removeWhere(everything)
  await bench.command('location activate', { location_id })
  expect(await queued()).toEqual([])
})
