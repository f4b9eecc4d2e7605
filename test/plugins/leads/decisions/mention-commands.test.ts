import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runCommand } from '../../../../core/contexts/run-command'
import { moveMention } from '../../../../plugins/leads/decisions/mention-commands'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { type MentionPages, mentionPages } from '../support/mention-pages'

let world: MentionPages
beforeAll(async () => {
  world = await mentionPages()
})
afterAll(() => world.gate.stop())
const run = (name: string, input: object) =>
  runCommand({ commands: world.gate.registry.commands, owner: world.gate.owner }, name, input)
const row = (id: string) => world.gate.owner.rows(Mention).get(id)

test('people save, dismiss and restore mentions by command, in the order that the states allow', async () => {
  const { id: mention_id } = await world.mention()
  expect(await run('mention dismiss', { mention_id })).toEqual({ mention_id, status: 'dismissed' })
  expect(await row(mention_id)).toMatchObject({ status: 'dismissed', is_read: true })
  expect(run('mention save', { mention_id })).rejects.toThrow('cannot move from dismissed to saved')
  await run('mention restore', { mention_id })
  await run('mention save', { mention_id })
  expect(await row(mention_id)).toMatchObject({ status: 'saved' })
  await run('mention mark', { mention_id, state: 'unread' })
  expect(await row(mention_id)).toMatchObject({ status: 'saved', is_read: false })
  expect(run('mention save', { mention_id: 'men_none' })).rejects.toThrow()
})

test('of two people who decide at once, the second is told', async () => {
  const mention = await world.mention()
  const decided = await Promise.allSettled([
    moveMention(world.gate.owner, mention, 'saved'),
    moveMention(world.gate.owner, mention, 'dismissed'),
  ])
  expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(['saved', 'dismissed']).toContain((await row(mention.id))?.status as string)
})

test('an excluded word is taken back by command, and an archived tracker is resumed', async () => {
  const tracker_id = world.tracker.id
  const excluded = async () => (await run('mention tracker word list', { tracker_id })).excluded_keywords
  await run('mention tracker word exclude', { tracker_id, word: 'zoo' })
  await run('mention tracker word exclude', { tracker_id, word: 'Zoo' })
  expect(await excluded()).toEqual(['zoo'])
  await run('mention tracker word exclude', { tracker_id, word: 'ZOO', undo: true })
  expect(await excluded()).toEqual([])
  expect(await run('mention tracker archive', { tracker_id })).toMatchObject({ state: 'archived' })
  expect(await run('mention tracker pause', { tracker_id })).toMatchObject({ state: 'archived' })
  expect(await run('mention tracker resume', { tracker_id })).toMatchObject({ state: 'active' })
})
