import { expect, test } from 'bun:test'
import { setupStep } from '../../../../core/contracts/setup'
import { corePlugins } from '../../../../core/product/core-plugins'
import { firstRun } from '../../../../core/product/first-run'
import { builtin } from '../../../../plugins'
import { workbench } from '../../../support/workbench'

test('the website of the first start takes the domain with its key, and a repeated call changes nothing', async () => {
  const bench = await workbench([...corePlugins, ...builtin])
  const { owner } = bench
  const made = await firstRun({ owner, siteDomain: 'localhost' })
  const { workspace_id, location_id } = made
  const website = owner.extensions(setupStep).find((step) => step.website !== undefined)?.website
  const wanted = { workspace_id, location_id, domain: 'acme.example', timezone: 'Europe/Berlin' }
  const swapped = await website?.name(owner, wanted, 'localhost')
  expect(swapped).toMatchObject({ replaced: made.site_id ?? '' })
  const named = { site_id: swapped?.by, domain: 'acme.example', timezone: 'Europe/Berlin' }
  const found = { ...named, site_key: made.site_key }
  expect<unknown>(await website?.find(owner, workspace_id, 'localhost')).toEqual(found)
  expect(await website?.name(owner, wanted, 'localhost')).toBeNull()
  expect<unknown>(await website?.find(owner, workspace_id, 'localhost')).toEqual(found)
  await bench.stop()
})
