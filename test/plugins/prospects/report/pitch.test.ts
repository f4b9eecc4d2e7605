import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { runDeclared } from '../../../../core/kit'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { ProspectAudit } from '../../../../plugins/prospects/records/ProspectAudit'
import { answeredShare, namedShare } from '../../../../plugins/prospects/records/rates'
import { section } from '../../../../plugins/prospects/records/section'
import { makePitch } from '../../../../plugins/prospects/report/pitch'
import { pitchSection } from '../../../../plugins/prospects/report/pitch-section'
import { collectData } from '../../../../plugins/reports/data/collect'
import { treeOf } from '../../../../plugins/reports/data/tree'
import { Report } from '../../../../plugins/reports/records/Report'
import { type Gate, startGate } from '../../../support/harness'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: [...corePlugins, ...builtin] })
})
afterAll(() => gate.stop())

const makeFor = async (location_id: string) =>
  (await runDeclared(makePitch.command, gate.owner, { location_id })) as { readonly report_id: string }
const at = new Date('2026-01-10T12:00:00.000Z')
const findings = {
  reviews: section({
    method: 'As the platform shows it',
    at,
    score: 52,
    facts: { rating: 3.4, total: 20, answered: answeredShare.of(3, 20) },
  }),
  profile: section({ method: 'Read', at, score: 71, facts: { missing: ['opening_hours', 'description'] } }),
  visibility: section({
    method: 'Stored answers',
    at,
    facts: null,
    unknown: [{ what: 'answers', reason: 'No AI assistant has been asked.' }],
  }),
  traffic: section({
    method: 'Requests',
    at,
    facts: {
      https: { works: true },
      ai_agents: [
        { agent: 'GPTBot', operator: 'OpenAI', purpose: 'training', allowed: false },
        { agent: 'OAI-SearchBot', operator: 'OpenAI', purpose: 'search', allowed: false },
        { agent: 'ClaudeBot', operator: 'Anthropic', purpose: 'training', allowed: true },
      ],
      structured_data: { types: [] },
    },
  }),
}
const prospect = (is_prospect = true) =>
  gate.put(BusinessLocation, {
    business_name: 'Fern & Fig',
    is_active: !is_prospect,
    is_prospect,
    auto_response_enabled: false,
  })
const audited = async (status: 'completed' | 'failed' = 'completed') => {
  const location = await prospect()
  const audit = await gate.put(ProspectAudit, {
    location_id: location.id,
    business_name: 'Fern & Fig',
    status,
    findings,
    score: 58,
    ...(status === 'completed' ? { completed_at: at.toISOString() } : { error: 'x' }),
  })
  return { location, audit }
}

describe('a pitch report', () => {
  test('is made from a completed audit, which then names it, and is of today', async () => {
    const { location, audit } = await audited()
    const { report_id } = await makeFor(location.id)
    const report = await gate.owner.rows(Report).get(report_id)
    const today = gate.clock.now().toISOString().slice(0, 10)
    expect(report).toMatchObject({ template: 'prospect_pitch', period_start: today, period_end: today })
    expect((await gate.owner.rows(ProspectAudit).get(audit.id))?.report_id).toBe(report_id)
    expect((await makeFor(location.id)).report_id).toBe(report_id)
  })

  test('shows what was measured, and says what was not, with the reason', async () => {
    const { location } = await audited()
    const { report_id } = await makeFor(location.id)
    const report = await gate.owner.rows(Report).get(report_id)
    if (!report) throw new Error('There is no report')
    const report_data = await collectData(gate.owner, report, new AbortController().signal)
    const tree = treeOf(gate.owner, { ...report, report_data })
    const [, pitch] = tree.sections
    const figures = pitch?.blocks.flatMap((block) => (block.kind === 'figures' ? block.figures : [])) ?? []
    const value = (id: string) => figures.find((figure) => figure.id === id)
    expect(value('pitch.score')).toMatchObject({ value: 58 })
    expect(value('pitch.rating')).toMatchObject({ value: 3.4 })
    expect(value('pitch.answered_share')).toMatchObject({ value: 0.15, n: 20 })
    expect(value('pitch.agents')).toMatchObject({ value: 1, n: 3 })
    const unmeasured = { value: null, unknown_because: 'No AI assistant has been asked.' }
    expect(value('pitch.named_share')).toMatchObject(unmeasured)
    expect(value('pitch.negative_mentions')).toMatchObject({
      value: null,
      unknown_because: 'It was not checked.',
    })
    const text = JSON.stringify(pitch?.blocks)
    for (const said of ['opening hours', 'OAI-SearchBot', 'structured data', 'Reply to reviews']) {
      expect(text).toContain(said)
    }
    // Nothing is advised about what is unknown, and a crawler that trains models is not advised.
    expect(text).not.toContain('Become visible')
    expect(text).not.toContain('Allow GPTBot')
    expect(new Set(tree.definitions.map(({ id }) => id))).toEqual(
      new Set(figures.map(({ definition }) => definition)),
    )
  })

  test('needs a completed audit and a prospect', async () => {
    const failed = await audited('failed')
    await expect(makeFor(failed.location.id)).rejects.toThrow('no completed audit')
    const client = await prospect(false)
    await expect(makeFor(client.id)).rejects.toThrow('Only prospects')
  })

  test('is no kind of report that agents can ask for', async () => {
    const { location } = await audited()
    const answer = await gate.ask('/api/functions/generateReport', {
      method: 'POST',
      body: JSON.stringify({ business_location_id: location.id, template: 'prospect_pitch' }),
    })
    expect(answer.status).toBe(422)
  })

  test('defines each rate as the audit does', () => {
    const ids = pitchSection.definitions.map(({ id }) => id)
    expect(ids).toContain(answeredShare.definition)
    expect(ids).toContain(namedShare.definition)
  })
})
