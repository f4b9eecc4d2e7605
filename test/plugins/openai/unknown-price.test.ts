import { expect, test } from 'bun:test'
import type { Task } from '../../../core/contracts/queue'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import openai from '../../../plugins/openai'
import { engineCheck } from '../../../plugins/visibility/engines/engine-check'
import { VisibilityRun } from '../../../plugins/visibility/records/VisibilityRun'
import { runRound } from '../../../plugins/visibility/runs/runRound'
import { setUpTracker } from '../../../plugins/visibility/tracking/edit-acts'
import { platformWorld } from '../../support/source-world'
import { createResponses } from '../../support/stand-ins/engines/responses'

const key = 'sk-test-openai-key'

/** Sets up a tracker of ChatGPT with 20 prompts and a budget, and lets it ask for a day. */
async function askAll(settings: Record<string, string>) {
  const standIn = createResponses({ key, dialect: 'openai', models: [{ id: 'gpt-7-nova' }] })
  standIn.set({ text: 'Acme', cited: [], found: [], queries: ['a', 'b', 'c'] })
  const all = { OPENAI_URL: 'http://openai.test/v1', OPENAI_API_KEY: key, ...settings }
  const world = await platformWorld({ plugin: openai, settings: all }, standIn.fetch)
  try {
    const { ctx, workspace_id } = world
    const location = await ctx.rows(BusinessLocation).insert({
      workspace_id,
      business_name: 'Acme',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    })
    const told = await setUpTracker.command.run(ctx, {
      location_id: location.id,
      engines: ['chatgpt'],
      usd_per_month: 0.02,
      prompts: Array.from({ length: 20 }, (_, place) => `Who is a good plumber in district ${place}?`),
      country: 'GB',
    })
    const task: Task = {
      id: 'job_1',
      workspace_id,
      attempt: 1,
      signal: new AbortController().signal,
      saved: {},
      hold: async () => {},
      progress: async () => {},
      save: async () => {},
    }
    await runRound.run(ctx, { tracker_id: String(told.tracker_id), manual: true }, task)
    const checks = await engineCheck.run(ctx, AbortSignal.timeout(45_000))
    return { told, checks, runs: await ctx.rows(VisibilityRun).list({}) }
  } finally {
    await world.stop()
  }
}

test('a budget with a model outside the price list ends after one question, and set-up and doctor say why', async () => {
  const { told, checks, runs } = await askAll({ OPENAI_MODEL: 'gpt-7-nova' })
  const why =
    'The price of gpt-7-nova is not known, so each answer counts at the dearest known price. Set OPENAI_PRICES.'
  expect(told.warnings).toEqual([`ChatGPT: ${why}`])
  expect(checks.find(({ name }) => name === 'Price of chatgpt')).toMatchObject({ status: 'warn', found: why })
  // 8,000 and 400 tokens at the dearest price, and three searches.
  expect(runs.map(({ cost, cost_basis }) => [cost, cost_basis])).toEqual([
    [expect.closeTo(0.13, 9), 'at_most'],
  ])
})

test('with the price in the settings, the budget counts what answers cost, and nothing is said', async () => {
  const { told, checks, runs } = await askAll({ OPENAI_MODEL: 'gpt-7-nova', OPENAI_PRICES: '0.1,0.5,1' })
  expect(told.warnings).toBeUndefined()
  expect(checks.find(({ name }) => name === 'Price of chatgpt')).toBeUndefined()
  // 0.004 dollars each.
  expect(runs.length).toBe(5)
  expect(new Set(runs.map(({ cost_basis }) => cost_basis))).toEqual(new Set(['computed']))
})
