import { afterEach, beforeEach, expect, test } from 'bun:test'
import { runCommand } from '../../../core/contexts/run-command'
import { demoQueue } from '../../../core/demo/plugin'
import { withCore } from '../../../core/product/core-plugins'
import { BusinessLocation } from '../../../core/product/tenancy-plugin'
import { Agency } from '../../../core/tenancy/Agency'
import { auditOf, commandLine } from '../../../core/tenancy/audit/audit'
import { actionWords } from '../../../core/tenancy/audit/audit-actions'
import { madeUp } from '../../../core/tenancy/made-up'
import { builtin } from '../../../plugins'
import { AiTrafficSite } from '../../../plugins/traffic/records/AiTrafficSite'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { formOf, signedIn } from '../../support/signed-in'

let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let locationId: string
beforeEach(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins: withCore(builtin), columns })
  const business = { is_active: true, is_prospect: false, auto_response_enabled: false }
  locationId = (await gate.put(BusinessLocation, { ...business, business_name: 'Acme' })).id
})
afterEach(async () => {
  await gate.stop()
  await columns.close()
})

const run = (name: string, input: object) => {
  const owner = { ...gate.owner, by: { host: commandLine } }
  return runCommand({ commands: gate.registry.commands, owner }, name, input)
}
const written = async (agencyId = gate.tenant.agencyId) => {
  const { entries } = await auditOf(gate.owner).list(agencyId, { limit: 100 })
  return entries.map((entry) => [entry.action, actionWords(entry), entry.subject]).sort()
}
const whoDid = async () => {
  const { entries } = await auditOf(gate.owner).list(gate.tenant.agencyId, { limit: 100 })
  return [...new Set(entries.map(({ host, user_id }) => `${host} ${user_id}`))]
}

test('what the command line changes is written down, with its name and its words, and no token', async () => {
  const { workspaceId: workspace_id } = gate.tenant
  const made = await run('site create', { domain: 'acme.example', location_id: locationId })
  await run('site rename', { site_id: made.site_id, domain: 'acme.test' })
  const { forwarder_token } = await run('site token rotate', { site_id: made.site_id })
  await run('enrichment override', { location_id: locationId, about: 'A shop.' })
  await run('workspace redact', { workspace_id })
  await run('workspace redact', { workspace_id, off: true })
  const prospect = { business_name: 'Pitched', is_prospect: true, is_active: false }
  const { id: location_id } = await gate.put(BusinessLocation, { ...prospect, auto_response_enabled: false })
  // The second look finds the first under way, and begins none.
  for (const _ of [1, 2]) await run('prospect audit', { location_id })
  expect(await written()).toEqual([
    ['location.audit', 'Audit of a prospect started', 'Pitched'],
    ['location.correct', 'Profile of a location edited', 'Acme'],
    ['site.add', 'Site added', 'acme.example'],
    ['site.rename', 'Site renamed', 'acme.test'],
    ['site.token', 'Forwarder token of a site replaced', 'acme.test'],
    ['workspace.redact', 'Contact details of leads hidden from credentials', 'Home'],
    ['workspace.unredact', 'Contact details of leads shown to credentials again', 'Home'],
  ])
  expect(await whoDid()).toEqual(['command line undefined'])
  const { entries } = await auditOf(gate.owner).list(gate.tenant.agencyId, { kind: 'site', limit: 9 })
  expect([entries.length, JSON.stringify(entries).includes(String(forwarder_token))]).toEqual([3, false])
})

test('what is refused is not written down, and what belongs to another agency stands in its own audit', async () => {
  await expect(run('site token rotate', { site_id: 'sit_none' })).rejects.toThrow('no site')
  await expect(run('enrichment override', { location_id: locationId })).rejects.toThrow('Name a field')
  await run('workspace create', { name: 'Theirs', agency_id: gate.stranger.agencyId })
  expect(await written()).toEqual([])
  expect(await written(gate.stranger.agencyId)).toEqual([['workspace.add', 'Workspace added', 'Theirs']])
})

test('what people do at pages is written down as theirs: names, sites and the demo', async () => {
  await gate.owner.rows(Agency).update(gate.tenant.agencyId, { name: madeUp.agency })
  const { cookie, session, userId } = await signedIn(gate)
  const post = (path: string, fields: Record<string, string>) =>
    gate.ask(path, formOf({ csrf: session.csrf_token, ...fields }, { cookie }))
  const names = { business: 'Harbour', workspace: 'Harbour & Sons', website: 'harbour.test', timezone: 'UTC' }
  expect((await post('/app/start', names)).status).toBe(303)
  const site = (await gate.owner.rows(AiTrafficSite).list())[0]?.id ?? ''
  expect((await post('/app/sites/change', { site, respect_dnt: 'yes' })).status).toBe(303)
  expect((await post('/app/sites/rotate', { site })).status).toBe(200)
  expect((await post('/app/demo', {})).status).toBe(303)
  await gate.registry.queues.get(demoQueue)?.run(
    gate.owner,
    {},
    {
      id: 'job_1',
      workspace_id: gate.tenant.workspaceId,
      attempt: 1,
      saved: {},
      signal: new AbortController().signal,
      hold: async () => {},
      progress: async () => {},
      save: async () => {},
    },
  )
  expect((await post('/app/demo/remove', {})).status).toBe(303)
  expect(await written()).toEqual([
    ['location.change', 'Location changed', 'Harbour'],
    ['site.add', 'Site added', 'harbour.test'],
    ['site.change', 'Site switched', 'harbour.test'],
    ['site.token', 'Forwarder token of a site replaced', 'harbour.test'],
    ['workspace.demo', 'Demo made', 'Demo'],
    ['workspace.demo_remove', 'Demo removed', 'Demo'],
    ['workspace.name', 'Agency and workspace named', 'Harbour & Sons'],
  ])
  expect(await whoDid()).toEqual([`http://localhost:3000 ${userId}`])
  const activity = await (
    await gate.ask('/app/activity?kind=site', { key: null, headers: { cookie } })
  ).text()
  expect(activity).toContain('Forwarder token of a site replaced')
}, 90_000)
