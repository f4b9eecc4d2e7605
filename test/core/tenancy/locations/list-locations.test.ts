import { afterEach, beforeEach, expect, test } from 'bun:test'
import { startAgency, type TestAgency } from '../support/agency'

let acme: TestAgency
beforeEach(async () => {
  acme = await startAgency(async () => undefined, { paid: 2 })
})
afterEach(() => acme.stop())
const names = async (input: object = {}) => {
  const { locations } = (await acme.run('location list', input)) as { locations: Record<string, string>[] }
  return locations.map(({ business_name, standing }) => `${business_name}: ${standing}`)
}

test('locations are shown by name with how they stand, prospects apart', async () => {
  await acme.add('B')
  await acme.run('location deactivate', { location_id: await acme.add('A') })
  await acme.add('C', { exempt: true })
  await acme.add('D')
  await acme.add('E', { trial: true })
  await acme.add('F', { prospect: true })
  expect(await names()).toEqual(['A: at rest', 'B: active', 'C: exempt', 'D: active', 'E: on trial'])
  expect(await names({ skip: 1, limit: 2 })).toEqual(['B: active', 'C: exempt'])
  expect(await names({ prospects: true })).toEqual(['F: prospect'])
})

test('those of one workspace, where there is one of that id', async () => {
  const { workspace_id } = await acme.run('workspace create', { name: 'Second' })
  await acme.add('A')
  await acme.add('B', { workspace_id })
  expect(await names({ workspace_id })).toEqual(['B: active'])
  await expect(names({ workspace_id: 'wsp_0' })).rejects.toMatchObject({ code: 'not_found' })
})

test('one is shown whole', async () => {
  const id = await acme.add('A', { website: 'a.example' })
  expect(await acme.run('location show', { location_id: id })).toMatchObject({
    location_id: id,
    standing: 'active',
    business_name: 'A',
    website: 'https://a.example',
    added_via: 'places',
    source: 'google',
    workspace_id: acme.workspace_id,
  })
  await expect(acme.run('location show', { location_id: 'loc_0' })).rejects.toMatchObject({
    code: 'not_found',
  })
})
