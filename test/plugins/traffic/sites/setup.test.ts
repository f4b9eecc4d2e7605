import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/product/tenancy-plugin'
import { builtin } from '../../../../plugins'
import locations from '../../../../plugins/locations'
import traffic from '../../../../plugins/traffic'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { trafficSetup } from '../../../../plugins/traffic/sites/setup'
import { trialDomain } from '../../../../plugins/traffic/sites/site-address'
import { type Gate, startGate } from '../../../support/harness'
import { testSetupStep } from '../../../support/setup-suite'

const business = { business_name: 'Acme', is_active: true, is_prospect: false, auto_response_enabled: false }

const site = (workspace_id: string) => ({
  workspace_id,
  location_id: 'loc_1',
  domain: 'acme.example',
  timezone: 'UTC',
  is_active: true,
  site_key: `rnw_site_${workspace_id}`,
  forwarder_token_hash: workspace_id,
  forwarder_token_last4: '0000',
  count_search_engines: false,
  respect_dnt: true,
})

testSetupStep({
  plugin: locations,
  name: 'locations',
  async prepare(gate, workspace_id) {
    await gate.owner.rows(BusinessLocation).insert({ ...business, workspace_id })
  },
})

testSetupStep({
  plugin: traffic,
  name: 'traffic',
  async prepare(gate, workspace_id) {
    const last_beacon_at = '2026-03-14T12:00:00.000Z'
    await gate.owner.rows(AiTrafficSite).insert({ ...site(workspace_id), last_beacon_at })
  },
})

describe('the setup step traffic', () => {
  let gate: Gate
  beforeAll(async () => {
    gate = await startGate({ plugins: [...corePlugins, ...builtin] })
  })
  afterAll(() => gate.stop())

  const heard = { last_log_at: '2026-03-14T12:00:00.000Z' }
  test.each([
    ['has never reported', {}, false],
    ['was switched off', { ...heard, is_active: false }, false],
    ['is the one of the first start, for trials', { ...heard, domain: trialDomain }, false],
    ['sends its log', heard, true],
  ])('with a website that %s', async (_words, more, isDone) => {
    const workspaceId = `wsp_${crypto.randomUUID()}`
    await gate.owner.rows(AiTrafficSite).insert({ ...site(workspaceId), ...more })
    expect(await trafficSetup.isDone(gate.owner, workspaceId)).toBe(isDone)
  })
})
