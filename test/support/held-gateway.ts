import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { builtin } from '../../plugins'
import { createInbound } from '../../plugins/leads/inbound/inbound-command'
import { BrandTracker } from '../../plugins/leads/records/BrandTracker'
import { AiTrafficSite } from '../../plugins/traffic/records/AiTrafficSite'
import { startGate, type Tenant } from './harness'
import { watchStretches } from './longest-stretch'
import { aNote, Note, notes } from './notes-plugin'
import { signedIn } from './signed-in'

/**
 * `bun held-gateway.ts`: a gateway with all plugins in a process of its own, which says how long its loop was held. It prints
 * what `HeldFacts` has. `GET /_held` answers the longest stretch since the last such request, in milliseconds of processor time.
 */
const gate = await startGate({ plugins: [...builtin, notes] })
for (const workspace_id of [gate.tenant.workspaceId, gate.stranger.workspaceId]) {
  const rows = Array.from({ length: 2_000 }, (_, n) => ({ ...aNote, title: `Note ${n}`, workspace_id }))
  await gate.owner.rows(Note).insertMany(rows)
}
const location = await gate.put(BusinessLocation, {
  business_name: 'Northgate Plumbing',
  is_active: true,
  is_prospect: false,
  country: 'GB',
  auto_response_enabled: false,
})
const tracker = await gate.put(BrandTracker, {
  location_id: location.id,
  name: 'Northgate',
  keywords: ['northgate'],
  required_keywords: [],
  excluded_keywords: ['job'],
  sources: [],
  languages: [],
  countries: [],
  is_active: true,
  mentions_total: 0,
})
const site = await gate.put(AiTrafficSite, {
  location_id: location.id,
  domain: 'northgate.example',
  timezone: 'UTC',
  site_key: 'rnw_site_1',
  is_active: true,
  count_search_engines: false,
  respect_dnt: true,
  forwarder_token_last4: 'abcd',
  forwarder_token_hash: 'a'.repeat(64),
})
const made = await createInbound.command.run(gate.owner, { tracker_id: tracker.id, signed: false })
const { address } = made as { readonly address: string }

const watch = watchStretches()
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) =>
    new URL(request.url).pathname === '/_held'
      ? Response.json(watch.take())
      : gate.gateway.fetch(request, () => '203.0.113.7'),
})
const origin = `http://localhost:${server.port}`

async function sender({ agencyId, key, workspaceId }: Tenant) {
  const { cookie, session } = await signedIn(gate, { agencyId, origin })
  return { key, cookie, csrf: session.csrf_token, workspaceId }
}
const facts = {
  port: server.port,
  inbound: new URL(address).pathname,
  site: site.id,
  loud: await sender(gate.tenant),
  quiet: await sender(gate.stranger),
}
console.log(JSON.stringify(facts))
