import { afterEach, beforeEach, expect, test } from 'bun:test'
import { where } from 'renown'
import { writerIn } from 'renown/pages'
import { corePlugins } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { Workspace } from '../../../core/tenancy/Workspace'
import { type Workbench, workbench } from '../../support/workbench'

let bench: Workbench
let own = ''
let other = ''
beforeEach(async () => {
  bench = await workbench([...corePlugins])
  own = (await bench.command('agency create', { name: 'Acme' })).workspace_id ?? ''
  other = (await bench.command('agency create', { name: 'Beta' })).workspace_id ?? ''
})
afterEach(() => bench.stop())

const fields = {
  business_name: 'Acme',
  is_active: true,
  is_prospect: false,
  billing_exempt: false,
  auto_response_enabled: false,
  is_verified: false,
} as const

test('rows of another workspace cannot be read, listed or changed', async () => {
  const theirs = await bench.owner.rows(BusinessLocation).insert({ ...fields, workspace_id: other })
  const rows = writerIn(bench.owner, own).rows(BusinessLocation)
  expect(await rows.get(theirs.id)).toBeNull()
  expect(await rows.list()).toEqual([])
  expect(await rows.list({ where: where.eq('id', theirs.id) })).toEqual([])
  expect(await rows.update(theirs.id, { business_name: 'Changed' })).toBeNull()
  expect(await bench.owner.rows(BusinessLocation).get(theirs.id)).toMatchObject({ business_name: 'Acme' })
})

test('rows of its own are stored, found and changed under a condition', async () => {
  const writer = writerIn(bench.owner, own)
  const rows = writer.rows(BusinessLocation)
  const ours = await rows.insert(fields)
  expect(ours.workspace_id).toBe(own)
  expect((await rows.list()).map(({ id }) => id)).toEqual([ours.id])
  const onlyIf = where.eq('business_name', 'Beta')
  expect(await rows.update(ours.id, { business_name: 'Changed' }, onlyIf)).toBeNull()
  expect(await rows.update(ours.id, { business_name: 'Changed' })).toMatchObject({ business_name: 'Changed' })
  expect(await writer.rows(Workspace).get(own)).toMatchObject({ id: own })
  expect(await writer.rows(Workspace).get(other)).toBeNull()
})
