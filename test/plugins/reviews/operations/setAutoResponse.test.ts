import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import leads from '../../../../plugins/leads/index'
import reviews from '../../../../plugins/reviews/index'
import { type Gate, startGate } from '../../../support/harness'

describe('the rules of an agency', () => {
  let gate: Gate
  beforeAll(async () => {
    gate = await startGate({ plugins: [leads, reviews] })
  })
  afterAll(() => gate.stop())
  const run = (name: string, input: object) =>
    Promise.resolve(gate.registry.commands.get(name)?.run(gate.owner, input as never)).catch(
      (error) => error.code,
    )
  const set = {
    ...{ off: false, ratings: [5], include_unrated: true, delay_min_minutes: 10, delay_max_minutes: 20 },
    ...{ newest_days: 3, model_stars_min: 5, tone: 'concise', allow_templates: true },
  }

  test('are set whole, set again, and shown with what came of them', async () => {
    const agency_id = gate.tenant.agencyId
    expect(await run('auto-response show', { agency_id })).toBe('not_found')
    const { off: _, ...rules } = set
    expect(await run('auto-response set', { agency_id, ...set })).toEqual({
      agency_id,
      ...rules,
      is_enabled: true,
    })
    const again = { ...set, off: true, ratings: [4], delay_min_minutes: 20 }
    const { off: __, ...changed } = again
    expect(await run('auto-response set', { agency_id, ...again })).toEqual({
      agency_id,
      ...changed,
      is_enabled: false,
    })
    expect(await run('auto-response show', { agency_id })).toMatchObject({
      ...changed,
      last_30_days: { sent: 0, skipped: 0, failed: 0 },
    })
    expect(await run('auto-response set', { ...set, agency_id: 'agn_nobody' })).toBe('not_found')
    expect(await run('auto-response set', { ...set, agency_id, delay_min_minutes: 21 })).toBe('invalid_field')
  })
})
