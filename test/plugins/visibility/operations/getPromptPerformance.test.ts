import { afterEach, beforeEach, expect, test } from 'bun:test'
import { getPromptPerformance } from '../../../../plugins/visibility/operations/getPromptPerformance'
import { type Ran, type VisibilityBench, visibilityBench } from '../support/bench'

let held: VisibilityBench
beforeEach(async () => {
  held = await visibilityBench()
})
afterEach(() => held.bench.stop())

const ask = (input: object = {}) => held.ask(getPromptPerformance, { tracker_id: 'vtr_1', ...input })
const rivals = (...names: string[]): Ran => ({ competitor_mentions: names.map((name) => ({ name })) })

test('says to whom a prompt is lost: competitors in the answers that do not name the brand', async () => {
  await held.prompt('vpr_1')
  await held.prompt('vpr_2')
  await held.run({ brand_mentioned: true, ...rivals('Beta') })
  await held.run(rivals('Beta', 'Gamma', 'Beta'))
  await held.run(rivals('Beta'))
  await held.run()
  await held.run({ status: 'error', ...rivals('Gamma') })
  await held.run({ prompt_id: 'vpr_2', brand_mentioned: true, ...rivals('Gamma') })
  const lost = new Map((await ask()).prompts.map(({ prompt_id, lost_to }) => [prompt_id, lost_to]))
  expect(lost.get('vpr_1')?.map(({ name, lost: { k, n } }) => [name, k, n])).toEqual([
    ['Beta', 2, 3],
    ['Gamma', 1, 3],
  ])
  expect(lost.get('vpr_1')?.[0]?.lost).toMatchObject({ definition: 'visibility.lost_to@1', rate: 0.666667 })
  expect(lost.get('vpr_2')).toEqual([])
  expect((await ask({ engine: 'claude' })).prompts.map(({ lost_to }) => lost_to)).toEqual([[], []])
})

test('splits a prompt by country, with the same counts as its engines', async () => {
  await held.prompt('vpr_1')
  await held.run({ brand_mentioned: true })
  await held.run({ country: 'DE' })
  await held.run({ country: 'DE', brand_mentioned: true, engine: 'claude', brand_position: 2 })
  const [prompt] = (await ask()).prompts
  expect(
    prompt?.by_country.map(({ country, runs, mentions, positions }) => [country, runs, mentions, positions]),
  ).toEqual([
    ['DE', 2, 1, 1],
    ['GB', 1, 1, 0],
  ])
  expect(prompt).toMatchObject({ runs: 3, mentions: 2 })
})

test('gives each cell of a prompt the same weight, and marks prompts that name the brand', async () => {
  await held.prompt('vpr_1')
  await held.prompt('vpr_2', { text: 'Is Acme any good?' })
  for (let n = 0; n < 8; n++) await held.run({ brand_mentioned: true })
  for (let n = 0; n < 2; n++) await held.run({ engine: 'claude' })
  await held.run({ prompt_id: 'vpr_2', brand_mentioned: true })
  const { prompts } = await ask()
  expect(prompts.find(({ prompt_id }) => prompt_id === 'vpr_1')).toMatchObject({
    is_branded: false,
    mention_rate: 0.8,
    mention_rate_v2: { definition: 'visibility.mention_rate@2', k: 8, n: 10, rate: 0.5, cells: 2, rounds: 8 },
  })
  expect(prompts.find(({ prompt_id }) => prompt_id === 'vpr_2')).toMatchObject({
    is_branded: true,
    mention_rate_v2: { rate: 1, n: 1 },
  })
})
