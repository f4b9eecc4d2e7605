import { afterEach, beforeEach, expect, test } from 'bun:test'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { type PostWorld, postWorld, standInTarget } from '../support/post-world'

let world: PostWorld
beforeEach(async () => {
  world = await postWorld(standInTarget().target)
})
afterEach(() => world.stop())

const run = (name: string, typed: object) =>
  world.bench.command(name, { ...typed }) as Promise<Record<string, unknown>>
const entries = async () => {
  const rows = await world.owner.rows(AuditEntry).list({ limit: 100 })
  return rows
    .filter(({ action }) => action.includes('post'))
    .map(({ action, what, subject }) => `${action} | ${what} | ${subject}`)
    .toSorted()
}

test('each act on a post leaves one audit entry, with the post that it made or changed', async () => {
  const { location, workspace_id } = world
  const of = { location_id: location.id, platform: 'linkedin' }
  const { post_id } = await run('post create', { ...of, text: 'News' })
  await run('post update', { post_id, text: 'Other news' })
  await run('post schedule', { post_id, at: '2099-01-01T09:00', timezone: 'UTC' })
  await run('post unschedule', { post_id })
  await run('post approval request', { post_id })
  await run('post approval end', { post_id })
  await run('post publish', { post_id })
  await run('post cancel', { post_id })
  await run('post approval require', { workspace_id, needed: 'on' })
  const on = `Acme: post ${post_id}`
  const named = (await world.owner.rows(AuditEntry).list({ limit: 100 })).find(
    ({ action }) => action === 'workspace.post_rules',
  )
  expect(named?.what).toBe('Posts need an approval')
  expect((await entries()).filter((entry) => !entry.startsWith('workspace.'))).toEqual([
    `location.post_ask_approval | Approval link of a post made | ${on}`,
    `location.post_cancel | Post cancelled | ${on}`,
    `location.post_create | Post drafted | ${on}`,
    `location.post_edit | Post changed | ${on}`,
    `location.post_end_approval | Approval of a post ended | ${on}`,
    `location.post_publish | Post published by hand | ${on}`,
    `location.post_schedule | Post scheduled | ${on}`,
    `location.post_unschedule | Post taken off the schedule | ${on}`,
  ])
})

test.each([
  [{ type: 'event' }, '/event'],
  [{ event: 'Open day' }, '/starts'],
  [{ photo: ['a.jpg'] }, '/photo'],
])('the shell names the field of %j that is wrong', async (more, pointer) => {
  const of = { location_id: world.location.id, platform: 'linkedin', text: 'News' }
  const refused = await run('post create', { ...of, ...more }).catch((error) => error)
  expect(refused.details.errors[0].pointer).toBe(pointer)
})
