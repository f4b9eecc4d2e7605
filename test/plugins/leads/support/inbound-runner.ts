import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import leads from '../../../../plugins/leads'
import { createInbound } from '../../../../plugins/leads/inbound/inbound-command'
import { BrandTracker } from '../../../../plugins/leads/records/BrandTracker'
import { startGate } from '../../../support/harness'
import { quietLog } from '../../../support/quiet-log'

/** As a process of its own: accepts posts for a tracker until somebody kills it. Argument: store. Prints the address. */
const documents = await openSqlite({ path: process.argv[2] ?? '', now: () => new Date(), log: quietLog })
const gate = await startGate({ plugins: [leads], documents })
const location = await gate.put(BusinessLocation, {
  business_name: 'Northgate Plumbing',
  is_active: true,
  is_prospect: false,
  auto_response_enabled: false,
})
const tracker = await gate.put(BrandTracker, {
  location_id: location.id,
  name: 'Northgate',
  keywords: ['northgate'],
  required_keywords: [],
  excluded_keywords: [],
  sources: [],
  languages: [],
  countries: [],
  is_active: true,
  mentions_total: 0,
})
const made = await createInbound.command.run(gate.owner, {
  tracker_id: tracker.id,
  signed: false,
})
const { pathname } = new URL(String(made.address))
process.stdout.write(`http://127.0.0.1:${gate.listen().port}${pathname}\n`)
