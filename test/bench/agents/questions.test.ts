import { afterAll, beforeAll, expect, test } from 'bun:test'
import { allSkills } from '../../../core/skills/catalog'
import { canary } from './canary'
import { openDemo, unmarkedCanaries } from './demo-world'
import { furtherQuestions } from './further-questions'
import { type Answered, answer } from './run-plans'
import { callsOf, wordsOfDemo } from './skill-calls'
import { standardQuestions } from './standard-questions'

let demo: Awaited<ReturnType<typeof openDemo>>
const standard: Answered[] = []
const further: Answered[] = []
beforeAll(async () => {
  demo = await openDemo()
  for (const question of standardQuestions) standard.push(await answer(demo, question))
  for (const question of furtherQuestions) further.push(await answer(demo, question))
}, 120_000)
afterAll(() => demo?.stop())

const sumOf = (answers: readonly Answered[], name: 'calls' | 'tokens') =>
  answers.reduce((all, one) => all + one[name], 0)

test('20 standard questions and 20 others are answered with the figures of the rows', () => {
  expect([standard.length, further.length]).toEqual([20, 20])
  for (const { asks, figures, expected } of [...standard, ...further])
    expect({ asks, figures }).toEqual({ asks, figures: expected })
})

test('the standard questions take at most 40 calls and 40,000 tokens, and so do the others', () => {
  for (const answers of [standard, further]) {
    expect(sumOf(answers, 'calls')).toBeLessThanOrEqual(40)
    expect(sumOf(answers, 'tokens')).toBeLessThanOrEqual(40_000)
  }
})

test('texts of strangers that give orders are marked in every answer', async () => {
  const all = [...standard, ...further]
  expect(all.filter(({ canaries }) => canaries.unmarked > 0)).toEqual([])
  expect(all.filter(({ canaries }) => canaries.marked > 0).length).toBeGreaterThanOrEqual(3)
  const planted = { Review: 'review_text', Mention: 'body' }
  for (const [entity, field] of Object.entries(planted)) {
    const args = { entity, q: { [field]: { $contains: canary.slice(0, 11) } }, limit: 5 }
    const rows = await demo.callTool('list_records', args)
    expect([entity, rows.content[0]?.text.includes(canary), unmarkedCanaries(rows)]).toEqual([
      entity,
      true,
      0,
    ])
  }
  for (const entity of ['Lead', 'Notification', 'Post', 'Report']) {
    const rows = await demo.callTool('list_records', { entity, limit: 100 })
    expect([entity, rows.content[0]?.text.includes('CANARY-4417'), unmarkedCanaries(rows)]).toEqual([
      entity,
      true,
      0,
    ])
  }
})

test('every call that a skill shows works on the demo', async () => {
  const words = wordsOfDemo(demo.facts)
  const calls = allSkills.flatMap((skill) => callsOf(skill, words))
  expect(calls.length).toBeGreaterThanOrEqual(50)
  for (const { skill, tool, args } of calls) {
    const result = await demo.callTool(tool, args)
    expect([skill, tool, args, result.isError, unmarkedCanaries(result)]).toEqual([
      ...[skill, tool, args],
      ...[undefined, 0],
    ])
  }
})
