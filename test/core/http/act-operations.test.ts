import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runCommand } from '../../../core/contexts/run-command'
import { withCore } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/product/tenancy-plugin'
import { auditOf, commandLine } from '../../../core/tenancy/audit/audit'
import { builtin } from '../../../plugins'
import { BrandTracker } from '../../../plugins/leads/records/BrandTracker'
import { type Gate, startGate } from '../../support/harness'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: withCore(builtin) })
}, 90_000)
afterAll(() => gate.stop())

const location = async () => {
  const business = { business_name: 'Harbour', business_category: 'bakery', city: 'Porto', country: 'PT' }
  const state = { is_active: true, is_prospect: false, auto_response_enabled: false }
  return (await gate.put(BusinessLocation, { ...business, ...state })).id
}
const entries = async () => (await auditOf(gate.owner).list(gate.tenant.agencyId, { limit: 100 })).entries
const call = async (name: string, input: object) => {
  const before = (await entries()).length
  const answer = await gate.call(name, input)
  const all = await entries()
  return { status: answer.status, added: all.slice(0, all.length - before) }
}

test.each([
  [
    'setupMentionTracking',
    { keywords: ['"harbour"'] },
    'location.mentions_begin',
    'Tracker of mentions begun',
  ],
  ['setupVisibilityTracking', {}, 'location.visibility_begin', 'AI visibility tracking begun'],
])('%s records the audit entry of its act once, with the credential', async (name, input, action, what) => {
  const location_id = await location()
  const tried = await call(name, { ...input, location_id, dry_run: true })
  expect(tried).toEqual({ status: 200, added: [] })
  const done = await call(name, { ...input, location_id })
  expect(done).toMatchObject({ status: 200, added: [{ action, what, subject: 'Harbour' }] })
  expect(done.added[0]?.credential).toStartWith('agent_key:')
  const again = await call(name, { ...input, location_id })
  expect(again).toEqual({ status: 409, added: [] })
})

test('the command of the same act records the same words, with the shell', async () => {
  const before = (await entries()).length
  const owner = { ...gate.owner, by: { host: commandLine } }
  const given = { location_id: await location(), keywords: '"harbour"; acme' }
  const { tracker_id } = await runCommand(
    { commands: gate.registry.commands, owner },
    'mention tracker create',
    given,
  )
  const all = await entries()
  expect(all.slice(0, all.length - before)).toMatchObject([
    {
      action: 'location.mentions_begin',
      what: 'Tracker of mentions begun',
      subject: 'Harbour',
      host: commandLine,
    },
  ])
  expect(await gate.owner.rows(BrandTracker).get(String(tracker_id))).toMatchObject({
    keywords: ['"harbour"', 'acme'],
  })
})

test('a location of another workspace is refused, and nothing is recorded', async () => {
  const business = { business_name: 'Foreign', is_active: true, is_prospect: false }
  const { id: location_id } = await gate.put(
    BusinessLocation,
    { ...business, auto_response_enabled: false },
    gate.stranger.workspaceId,
  )
  for (const [name, input] of [
    ['setupMentionTracking', { keywords: ['acme'] }],
    ['setupVisibilityTracking', {}],
    ['generateReport', {}],
  ] as const) {
    const id = name === 'generateReport' ? { business_location_id: location_id } : { location_id }
    const { status, added } = await call(name, { ...input, ...id })
    expect([name, status, added]).toEqual([name, 403, []])
  }
})
