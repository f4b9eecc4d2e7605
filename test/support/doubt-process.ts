import { where } from '../../core/contracts/where'
import { freeLeases } from '../../core/jobs/lease'
import { startWorker } from '../../core/jobs/worker'
import { Connection } from '../../core/outbound/Connection'
import { tokenSecretField } from '../../core/outbound/connections'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { Workspace } from '../../core/tenancy/Workspace'
import { AutoResponseRules } from '../../plugins/reviews/records/AutoResponseRules'
import { Review } from '../../plugins/reviews/records/Review'
import { ReviewListing } from '../../plugins/reviews/records/ReviewListing'
import { dueReviews } from '../../plugins/reviews/sync/dueReviews'
import { startGate } from './harness'
import { jobs, platformPlugins } from './platforms'
import { quietLog } from './quiet-log'
import { waitFor } from './wait-for'

/** A product with two Google locations on a store in a file, whose clock runs ahead. `origin` answers for Google. */
export async function openDoubts(path: string, origin: string, aheadMinutes: number) {
  const now = () => new Date(Date.now() + aheadMinutes * 60_000)
  const documents = await openSqlite({ path, now, log: quietLog })
  const gate = await startGate({
    documents,
    plugins: [jobs, ...platformPlugins],
    reaches: true,
    settings: {
      GOOGLE_REVIEWS_URL: `${origin}/v4`,
      GOOGLE_TOKEN_URL: `${origin}/token`,
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'secret',
      GOOGLE_CALLS_PER_MINUTE: '1000000',
      GOOGLE_EDITS_PER_MINUTE: '1000000',
    },
  })
  gate.clock.advance(aheadMinutes * 60_000)
  const { queues } = gate.registry
  return {
    gate,
    documents,
    work: () =>
      startWorker({ queues, documents, owner: gate.owner, clock: { now }, log: quietLog, pollEveryMs: 10 }),
    /** Queues the syncs that are due. */
    read: () => dueReviews.run(gate.owner, new AbortController().signal),
    async stop() {
      await gate.stop()
      await documents.close()
    },
  }
}
type Opened = Awaited<ReturnType<typeof openDoubts>>

/** Connects an account, adds two of its locations, and switches automatic replies on. */
export async function addTwoLocations({ gate }: Opened): Promise<string[]> {
  const { owner } = gate
  const ids: string[] = []
  for (const google_location_id of ['locations/222', 'locations/333']) {
    const location = await gate.put(BusinessLocation, {
      business_name: 'Bakery',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: true,
      added_via: 'gbp_oauth',
      google_account_id: 'accounts/111',
      google_location_id,
      country: 'GB',
    })
    await gate.put(ReviewListing, {
      location_id: location.id,
      due_at: gate.clock.now().toISOString(),
    })
    ids.push(location.id)
  }
  const [location] = await owner.rows(BusinessLocation).list({ limit: 1 })
  const workspace_id = location?.workspace_id ?? ''
  const connection = { workspace_id, provider: 'google', account_id: 'accounts/111', state: 'connected' }
  const row = await owner.rows(Connection).insert(connection as never)
  const sealed = owner.outbound.secrets.seal('1//refresh', tokenSecretField(row, 'refresh_token'))
  await owner.rows(Connection).update(row.id, { refresh_token: sealed })
  const agency = (await owner.rows(Workspace).get(workspace_id))?.agency_id ?? ''
  await owner.rows(AutoResponseRules).insert({
    id: agency,
    workspace_id: agency,
    is_enabled: true,
    ratings: [4, 5],
    include_unrated: false,
    delay_min_minutes: 0,
    delay_max_minutes: 0,
    newest_days: 30,
    tone: 'friendly',
    allow_templates: true,
  })
  return ids
}

/**
 * As a process of its own: reads the locations, sends the replies that are due at the second one and ends, unless somebody kills
 * it before. Arguments: store, origin of Google, minutes by which its clock runs ahead, id of the second location.
 */
if (import.meta.main) {
  const [, , path = '', origin = '', ahead = '0', certain = ''] = process.argv
  const opened = await openDoubts(path, origin, Number(ahead))
  await freeLeases(opened.documents)
  await opened.read()
  opened.work()
  await fetch(`${origin}/started`, { method: 'PUT' })
  const open = where.and(where.eq('location_id', certain), where.eq('auto_response_status', 'pending'))
  const isDone = async () => {
    const isFresh = where.and(
      where.eq('location_id', certain),
      where.lt('due_at', opened.gate.clock.now().toISOString()),
    )
    const { owner } = opened.gate
    return (
      (await owner.rows(ReviewListing).count(isFresh)) === 0 && (await owner.rows(Review).count(open)) === 0
    )
  }
  // A reply that waits for a complete sync is judged again minutes later, which is the start of the next process.
  const isSent = await waitFor(isDone, { what: 'all certain replies', timeoutMs: 60_000, everyMs: 50 }).then(
    () => true,
    () => false,
  )
  process.exit(isSent ? 0 : 1)
}
