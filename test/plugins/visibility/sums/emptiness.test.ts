import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Refusal } from '../../../../core/contracts/errors'
import { getAnswer } from '../../../../plugins/visibility/operations/getAnswer'
import { getPromptPerformance } from '../../../../plugins/visibility/operations/getPromptPerformance'
import { getShareOfVoice } from '../../../../plugins/visibility/operations/getShareOfVoice'
import { getVisibilitySummary } from '../../../../plugins/visibility/operations/getVisibilitySummary'
import { listCitedSources } from '../../../../plugins/visibility/operations/listCitedSources'
import { type VisibilityBench, visibilityBench } from '../support/bench'

let held: VisibilityBench
beforeEach(async () => {
  held = await visibilityBench()
})
afterEach(() => held.bench.stop())

/** Asks all operations with figures for the tracker vtr_1. Each must give the same reason. */
async function reasons(input: Record<string, unknown> = {}) {
  const own = { tracker_id: 'vtr_1', ...input }
  const answers = [
    await held.ask(getVisibilitySummary, own),
    await held.ask(getPromptPerformance, own),
    await held.ask(getShareOfVoice, own),
    await held.ask(listCitedSources, own),
  ]
  expect(new Set(answers.map(({ empty_because }) => empty_because)).size).toBe(1)
  expect(new Set(answers.map(({ tracked }) => JSON.stringify(tracked))).size).toBe(1)
  return answers[0] as (typeof answers)[number]
}

describe('an answer without figures says why', () => {
  test('there is no tracker', async () => {
    const none = { empty_because: 'no_tracker', tracked: { engines: [], countries: [] } }
    expect(await held.ask(getVisibilitySummary, { location_id: 'loc_9' })).toMatchObject(none)
    expect(await held.ask(listCitedSources, { location_id: 'loc_9' })).toMatchObject(none)
    expect(await held.ask(listCitedSources, {}, { workspace: 'wsp_9' })).toMatchObject(none)
  })

  test('nothing was asked yet', async () => {
    await held.prompt('vpr_1')
    expect(await reasons()).toMatchObject({
      empty_because: 'not_asked_yet',
      tracked: { engines: ['chatgpt', 'claude'], countries: ['GB'] },
    })
  })

  test('the tracker or all of its prompts are paused', async () => {
    await held.prompt('vpr_1', { status: 'paused' })
    expect((await reasons()).empty_because).toBe('paused')
    await held.prompt('vpr_2')
    expect((await reasons()).empty_because).toBe('not_asked_yet')
    await held.tracker({ id: 'vtr_2', location_id: 'loc_2', is_active: false })
    expect((await held.ask(getVisibilitySummary, { tracker_id: 'vtr_2' })).empty_because).toBe('paused')
  })

  test('no tracker asks that engine, or from that country', async () => {
    await held.prompt('vpr_1')
    await held.run()
    expect((await reasons()).empty_because).toBeNull()
    expect((await reasons()).tracked).toBeUndefined()
    const tracked = { engines: ['chatgpt', 'claude'], countries: ['GB'] }
    expect(await reasons({ engine: 'mistral' })).toMatchObject({
      empty_because: 'engine_not_tracked',
      tracked,
    })
    expect(await reasons({ country: 'fr' })).toMatchObject({ empty_because: 'country_not_tracked', tracked })
    await held.tracker({ id: 'vtr_2', location_id: 'loc_2', engines: ['grok'], countries: ['FR'] })
    const both = (input: Record<string, string>) => held.ask(getVisibilitySummary, input)
    expect(await both({ country: 'FR', engine: 'grok' })).toMatchObject({ empty_because: 'not_asked_yet' })
    expect(await both({ country: 'FR', engine: 'claude' })).toMatchObject({
      empty_because: 'country_not_tracked',
      tracked: { engines: ['chatgpt', 'claude', 'grok'], countries: ['FR', 'GB'] },
    })
  })

  test('the period has no answers, though it was asked', async () => {
    await held.prompt('vpr_1')
    await held.run({ status: 'error', error: 'cut' })
    expect((await reasons()).empty_because).toBe('no_answers_in_period')
    expect((await reasons({ days: 1 })).empty_because).toBe('no_answers_in_period')
    expect((await reasons({ engine: 'claude' })).empty_because).toBe('not_asked_yet')
  })
})

describe('a name that nobody asks is refused', () => {
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Refusal) => error.details.errors?.[0] ?? null,
    )
  const all = (input: Record<string, string>) => [
    held.ask(getVisibilitySummary, input),
    held.ask(listCitedSources, input),
    held.ask(getPromptPerformance, { tracker_id: 'vtr_1', ...input }),
    held.ask(getShareOfVoice, { tracker_id: 'vtr_1', ...input }),
    held.ask(getAnswer, { prompt_id: 'vpr_1', ...input }),
  ]

  test('an engine, with the one that was meant', async () => {
    for (const asked of all({ engine: 'ChatGTP' })) {
      expect(await refusal(asked)).toMatchObject({
        pointer: '/engine',
        allowed: ['chatgpt', 'claude'],
        did_you_mean: 'chatgpt',
      })
    }
  })

  test('a country, with the one that was meant', async () => {
    await held.prompt('vpr_1')
    for (const asked of all({ country: 'uk' })) {
      expect(await refusal(asked)).toMatchObject({
        pointer: '/country',
        allowed: ['GB'],
        did_you_mean: 'GB',
      })
    }
  })

  test('but not an engine that trackers once asked, or that a plugin adds', async () => {
    await held.run({ engine: 'oracle', brand_mentioned: true })
    await held.tracker({ id: 'vtr_2', location_id: 'loc_2', engines: ['sibyl'] })
    expect((await held.ask(getVisibilitySummary, { engine: 'oracle' })).totals.mentions).toBe(1)
    expect((await held.ask(getVisibilitySummary, { engine: 'sibyl' })).empty_because).toBe('not_asked_yet')
  })
})
