import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { where } from 'renown'
import type { Task } from '../../../../core/contracts/queue'
import { Job } from '../../../../core/jobs/Job'
import { judgeMentions, judgeOne } from '../../../../plugins/leads/finding/judgeMentions'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { Lead } from '../../../../plugins/leads/records/Lead'
import { Mention } from '../../../../plugins/leads/records/Mention'
import { type FindingWorld, findingWorld, post } from '../support/finding-world'

let world: FindingWorld
beforeEach(async () => {
  world = await findingWorld()
})
afterEach(() => world.stop())

const wish = 'Can anyone recommend a good plumber in Leeds? Need one today. Call me: 01632 960001'
const task = { attempt: 1, signal: new AbortController().signal } as Task

async function found(body: string) {
  const { id } = await world.location({ city: 'Leeds', business_category: 'plumber' })
  await world.tracker(['plumber'], { location_id: id })
  world.search.read = () => ({ posts: [post('1', body)] })
  await world.read()
  const [mention] = await world.mentions()
  return mention?.id as string
}
const judge = (mention_id: string) => judgeOne.run(world.owner, { mention_id }, task)
const mention = async () => (await world.mentions())[0]
const leads = () => world.owner.rows(Lead).list()

describe('judging', () => {
  test('queues each open mention once, with its workspace', async () => {
    const id = await found(wish)
    const run = () => judgeMentions.run(world.owner, task.signal)
    await run()
    await run()
    const jobs = await world.bench.collection(Job).find({ where: { op: 'and', of: [] }, limit: 10 })
    expect(jobs).toMatchObject([
      { queue: 'judge-mention', workspace_id: world.workspace_id, payload: { mention_id: id } },
    ])
  })

  test('makes a lead of somebody who wants to buy, once', async () => {
    const id = await found(wish)
    await judge(id)
    const [lead, ...others] = await leads()
    expect(others).toEqual([])
    expect(lead).toMatchObject({ mention_id: id, stage: 'new', source: 'forum', stale_post: false })
    expect(lead?.intent_reason).not.toBe('')
    expect(await mention()).toMatchObject({ is_judged: true, is_lead: true, lead_id: lead?.id as string })
    await world.owner.rows(Mention).update(id, { is_judged: false })
    await judge(id)
    expect(await leads()).toHaveLength(1)
  })

  test('makes no lead of a post without intent, and says how relevant it is and why', async () => {
    await judge(await found('The plumber came yesterday and all is well'))
    expect(await leads()).toEqual([])
    const judged = await mention()
    expect(judged).toMatchObject({ is_judged: true, is_lead: false })
    expect(judged?.relevance_reason).not.toBe('')
    expect(judged?.relevance_score).toBeNumber()
  })

  test('leaves a name that can mean something else open in a language without figures', async () => {
    const { id } = await world.location({ business_name: 'Zucca', business_category: 'trattoria' })
    await world.tracker(['Zucca'], { location_id: id })
    world.search.read = () => ({
      posts: [post('1', 'Alguém conhece a Zucca? Preciso de um lugar para jantar com a minha mãe hoje')],
    })
    await world.read()
    await judge((await mention())?.id as string)
    const judged = await mention()
    expect(judged).toMatchObject({ is_judged: true, is_lead: false, judged_by: 'none' })
    expect([judged?.relevance, judged?.relevance_score]).toEqual([undefined, undefined])
    expect(judged?.relevance_reason).toStartWith('Not judged: ')
    expect(await leads()).toEqual([])
  })

  test('of a text that changed meanwhile is not stored', async () => {
    const id = await found(wish)
    const rows = world.owner.rows.bind(world.owner)
    const changing = {
      ...world.owner,
      rows: (entity: Parameters<typeof rows>[0]) => ({
        ...rows(entity),
        async updateWhere(...given: [never, never]) {
          if (entity.name === 'Mention') await rows(Mention).update(id, { body: 'other', body_version: 2 })
          return rows(entity).updateWhere(...given)
        },
      }),
    }
    await judgeOne.run(changing as never, { mention_id: id }, task)
    expect(await mention()).toMatchObject({ is_judged: false, body_version: 2 })
    expect((await mention())?.relevance).toBeUndefined()
  })

  test('ends for a mention whose tracker no longer exists', async () => {
    const id = await found(wish)
    await world.owner.rows(BrandTracker).removeWhere(where.and())
    await judge(id)
    expect(await leads()).toEqual([])
    expect(await mention()).toMatchObject({ is_judged: true, is_lead: false })
  })

  test('that fails for good does not keep others waiting', async () => {
    const id = await found(wish)
    const fault = { kind: 'permanent', message: 'no' } as never
    await judgeOne.onDeadLetter?.(world.owner, { mention_id: id }, fault, task)
    await judgeMentions.run(world.owner, task.signal)
    expect(await world.bench.collection(Job).count({ op: 'and', of: [] })).toBe(0)
    // A retry by a person judges it.
    await judge(id)
    expect(await mention()).toMatchObject({ is_judged: true, is_lead: true })
  })

  test('leaves a mention alone that is judged, removed or gone', async () => {
    const id = await found(wish)
    await judge('men_0')
    await world.owner.rows(Mention).update(id, { removal_rule: 'retention_days' })
    await judge(id)
    expect(await leads()).toEqual([])
  })
})
