import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import leads from '../../../../plugins/leads/index'
import reviews from '../../../../plugins/reviews/index'
import { Review } from '../../../../plugins/reviews/records/Review'
import { type Gate, startGate } from '../../../support/harness'

describe('the rules of an agency', () => {
  let gate: Gate
  beforeAll(async () => {
    gate = await startGate({ plugins: [leads, reviews] })
  })
  afterAll(() => gate.stop())
  const run = (name: string, input: object) =>
    Promise.resolve(gate.registry.commands.get(name)?.run(gate.owner, input)).catch((error) => error.code)
  const set = {
    enabled: true,
    ratings: [5],
    include_unrated: true,
    delay_min_minutes: 10,
    delay_max_minutes: 20,
    newest_days: 3,
    model_stars_min: 5,
    tone: 'concise',
    allow_templates: true,
  }

  test('are set whole, set again, and shown with what came of them', async () => {
    const agency_id = gate.tenant.agencyId
    expect(await run('auto-response show', { agency_id })).toBe('not_found')
    const { enabled: _, ...rules } = set
    expect(await run('auto-response set', { agency_id, ...set })).toEqual({
      agency_id,
      ...rules,
      is_enabled: true,
    })
    const again = { ...set, enabled: false, ratings: [4], delay_min_minutes: 20 }
    const { enabled: __, ...changed } = again
    expect(await run('auto-response set', { agency_id, ...again })).toEqual({
      agency_id,
      ...changed,
      is_enabled: false,
    })
    expect(await run('auto-response show', { agency_id })).toMatchObject({
      ...changed,
      last_30_days: { sent: 0, skipped: 0, failed: 0 },
    })
    const due = (days: number) => new Date(gate.clock.now().getTime() - days * 86_400_000).toISOString()
    const put = (auto_response_status: string, days: number, auto_response_error?: string) =>
      gate.put(Review, {
        location_id: 'loc_1',
        source: 'google',
        source_id: crypto.randomUUID(),
        auto_response_status,
        auto_response_scheduled_at: due(days),
        auto_response_error,
      } as never)
    await Promise.all([
      put('sent', 1),
      put('sent', 29.9),
      put('sent', 30.1),
      put('failed', 2),
      put('pending', 1),
    ])
    await put('skipped', 3)
    await put('skipped', 3, 'stars_below_model_minimum: from 5 stars upwards')
    for (let n = 0; n < 2; n++) await put('skipped', 3, 'no_reply_language: not known')
    const { last_30_days } = (await run('auto-response show', { agency_id })) as Record<string, unknown>
    expect(last_30_days).toEqual({
      sent: 2,
      skipped: 4,
      failed: 1,
      stars_below_model_minimum: 1,
      reply_text_refused: 0,
      draft_refused: 0,
      model_wants_person: 0,
      no_reply_language: 2,
      second_look_refused: 0,
    })
    expect(await run('auto-response set', { ...set, agency_id: 'agn_nobody' })).toBe('not_found')
    expect(await run('auto-response set', { ...set, agency_id, delay_min_minutes: 21 })).toBe('invalid_field')
  })

  test('let Renown answer 1 to 3 stars without a person only by a deed of its own, which no agent can propose', async () => {
    const agency_id = gate.tenant.agencyId
    await run('auto-response set', { agency_id, ...set })
    expect(await run('low-star-reply enable', { agency_id })).toEqual({ agency_id, low_stars_allowed: true })
    expect(await run('auto-response show', { agency_id })).toMatchObject({ low_stars_allowed: true })
    // Saving the other rules keeps the decision.
    expect(await run('auto-response set', { agency_id, ...set })).toMatchObject({ low_stars_allowed: true })
    expect(await run('low-star-reply disable', { agency_id })).toEqual({
      agency_id,
      low_stars_allowed: false,
    })
    const { commands } = gate.registry
    for (const verb of ['enable', 'disable'])
      expect(commands.get(`low-star-reply ${verb}`)?.proposal).toBeUndefined()
    expect([...gate.registry.operations.keys()].filter((name) => /low.?star/i.test(name))).toEqual([])
  })
})
