import { expect, test } from 'bun:test'
import { corePlugins } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../plugins'
import { hashOf } from '../../../plugins/reports/data/canonical'
import { treeOf } from '../../../plugins/reports/data/tree'
import { demoData } from '../../../plugins/reports/demo/demo-data'
import { Report } from '../../../plugins/reports/records/Report'
import { reportSection } from '../../../plugins/reports/templates/section'
import { builtinTemplates } from '../../../plugins/reports/templates/template'
import { checkedSection } from '../../support/checked-section'
import { startGate } from '../../support/harness'

const random = () => ({
  next: () => 0.5,
  integer: (min: number) => min,
  chance: () => false,
  pick: (list: unknown[]) => list[0],
})
const business = {
  id: 'loc_1',
  workspace_id: 'wsp_1',
  key: 'k',
  name: 'Bakery',
  city: 'Leeds',
  country: 'GB',
  timezone: 'UTC',
  services: ['bread', 'cake'],
  source: 'google',
  language: 'en',
  quality: 0.8,
  reviewsPerMonth: 12,
}
const world = { agency_id: 'agc_1', edgeCases: [], random }

test('the sections show the data of sample reports, and a missing PDF is rendered again', async () => {
  const gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  try {
    const { workspaceId } = gate.tenant
    const dataOf = (template: string) =>
      demoData(world as never, business as never, {
        start: '2026-01-01',
        end: '2026-01-31',
        at: '2026-02-01T06:00:00.000Z',
        template,
      }) as Readonly<Record<string, unknown>>
    for (const { template, sections } of builtinTemplates) {
      const data = dataOf(template)
      for (const name of sections) {
        const section = gate.owner.extensions(reportSection).find((one) => one.name === name)
        if (!section) throw new Error(`The section ${name} is not loaded.`)
        checkedSection(section, data[name])
      }
      const tree = treeOf(gate.owner, {
        template,
        period_start: '2026-01-01',
        period_end: '2026-01-31',
        report_data: data,
      })
      const shown = tree.sections.map(({ name }) => name).filter((name) => name !== 'insights')
      expect(shown).toEqual(['summary', ...sections])
      expect(tree.sections.some(({ name }) => name === 'insights')).toBe(sections.includes('reviews'))
      expect(JSON.stringify(tree)).not.toContain('made by another version')
      // Reports without a section that feeds the score do not begin with an unknown one.
      const hasScore = ['reviews', 'responses', 'mentions'].some((name) => sections.includes(name))
      expect(JSON.stringify(tree).includes('reputation.score')).toBe(hasScore)
    }
    const report_data = dataOf('monthly_reputation_report')

    const location = { business_name: 'B', is_active: true, is_prospect: false, auto_response_enabled: false }
    const { id } = await gate.put(BusinessLocation, location)
    const pdf_url = `/uploads/reports/${workspaceId}/0b4c6f0e-1111-4222-8333-944445555666.pdf`
    await gate.put(Report, {
      template: 'monthly_reputation_report',
      period_start: '2026-01-01',
      period_end: '2026-01-31',
      status: 'completed',
      business_location_id: id,
      pdf_url,
      report_data,
      data_hash: hashOf(report_data),
    })
    const open = async (url: string) => {
      const answer = await gate.ask(url, { key: null })
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    const [first, second] = await Promise.all([open(pdf_url), open(pdf_url)])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(first.bytes.toString('latin1', 0, 5)).toBe('%PDF-')
    expect(first.bytes.equals(second.bytes)).toBe(true)
    expect((await open(pdf_url)).bytes.equals(first.bytes)).toBe(true)
    expect((await open(pdf_url.replace('0b4c', '1b4c'))).status).toBe(404)
  } finally {
    await gate.stop()
  }
})
