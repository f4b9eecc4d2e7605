import { afterEach, expect, test } from 'bun:test'
import { accountLender } from '../../../../plugins/posts/publishing/lendAccount'
import { PostChannel } from '../../../../plugins/posts/records/PostChannel'
import { type PostWorld, postWorld, standInTarget } from '../support/post-world'

let world: PostWorld
afterEach(() => world?.stop())

test('a reply puts the account in doubt once, says why, and ends only its own doubt', async () => {
  world = await postWorld(standInTarget().target)
  const { owner, location, workspace_id } = world
  const place = { workspace_id, location_id: location.id, platform: 'linkedin' } as const
  await owner.rows(PostChannel).insert({ ...place, address: 'https://social.test' })
  const at = location
  const doubt = { why: 'The answer showed something else.', mention_id: 'men_1', revision: 1 }
  for (let n = 0; n < 2; n++) await accountLender.raiseDoubt(owner, at, 'linkedin', doubt)
  await accountLender.raiseDoubt(owner, at, 'linkedin', { ...doubt, why: 'Another', mention_id: 'men_2' })
  const account = () => accountLender.accountOf(owner, at, 'linkedin')
  expect(await account()).toMatchObject({
    name: 'social.test',
    in_doubt: 'The answer showed something else.',
  })
  expect(await world.news()).toHaveLength(2)
  await accountLender.explainDoubt(owner, at, 'linkedin', 'men_2')
  expect((await account())?.in_doubt).toBeDefined()
  await accountLender.explainDoubt(owner, at, 'linkedin', 'men_1')
  expect((await account())?.in_doubt).toBeUndefined()
  expect(await account()).toMatchObject({ name: 'social.test' })
})
