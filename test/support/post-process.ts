import { isServiceFault } from '../../core/contracts/service-fault'
import { where } from '../../core/contracts/where'
import { freeLeases } from '../../core/jobs/lease'
import { startWorker, type Worker } from '../../core/jobs/worker'
import { readBody } from '../../core/outbound/body'
import { Connection } from '../../core/outbound/Connection'
import { tokenSecretField } from '../../core/outbound/connections'
import { outboundFault } from '../../core/outbound/fault'
import { openSqlite } from '../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import bluesky from '../../plugins/bluesky'
import google from '../../plugins/google'
import mastodon from '../../plugins/mastodon'
import { connectChannel } from '../../plugins/posts/acts/channels'
import { createPost } from '../../plugins/posts/acts/edit'
import { publishNow } from '../../plugins/posts/acts/schedule'
import { PostPlan } from '../../plugins/posts/records/PostPlan'
import webhook from '../../plugins/webhook'
import wordpress from '../../plugins/wordpress'
import { type Gate, startGate } from './harness'
import { jobs, platformPlugins } from './platforms'
import { quietLog } from './quiet-log'
import { standInSecret } from './stand-ins/killed-platforms'
import { waitFor } from './wait-for'

/** A key (Mastodon, webhook), own ids (Bluesky), a proof by read (WordPress), and neither (Google). */
export const killedTargets = ['mastodon', 'webhook', 'bluesky', 'wordpress', 'gbp'] as const

const channels = [
  { platform: 'mastodon', address: 'https://social.test/', secret: 'mastodon-token' },
  { platform: 'webhook', address: 'https://receiver.test/in', secret: standInSecret },
  { platform: 'bluesky', address: 'https://bsky.test', account: 'acme.test', secret: 'app-password' },
  { platform: 'wordpress', address: 'https://site.test', account: 'ada', secret: 'abcd EFGH' },
] as const

/** The gate and the store of a process whose clock runs ahead. Both have one clock. */
export interface PostProcess {
  readonly gate: Gate
  advance(minutes: number): void
  /** Takes every step that is due now. */
  takeSteps(): Promise<void>
  stop(): Promise<void>
}

/** Opens the product's own targets on a store in a file. `origin` answers for every platform. */
export async function openPosts(path: string, origin: string, aheadMinutes: number): Promise<PostProcess> {
  let ahead = aheadMinutes
  const now = () => new Date(Date.now() + ahead * 60_000)
  const documents = await openSqlite({ path, now, log: quietLog })
  const settings = {
    GOOGLE_REVIEWS_URL: `${origin}/google.test/v4`,
    GOOGLE_TOKEN_URL: `${origin}/google.test/token`,
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'secret',
  }
  const gate = await startGate({
    documents,
    settings,
    reaches: true,
    plugins: [...new Set([jobs, ...platformPlugins, google, mastodon, webhook, bluesky, wordpress])],
    async safeFetch(url, { method = 'GET', headers = {}, body, maxBytes }) {
      const there = url.replace('https://', `${origin}/`)
      const asked = { method, headers, redirect: 'manual' as const, ...(body === undefined ? {} : { body }) }
      const answer = await fetch(there, asked).catch((error: unknown) => {
        throw isServiceFault(error) ? error : outboundFault('unreachable', 'No answer.')
      })
      return { status: answer.status, headers: answer.headers, body: await readBody(answer, maxBytes), url }
    },
  })
  gate.clock.advance(ahead * 60_000)
  const held: { worker?: Worker } = {}
  const { signal } = new AbortController()
  const { queues, jobs: tasks } = gate.registry
  return {
    gate,
    advance(minutes) {
      ahead += minutes
      gate.clock.advance(minutes * 60_000)
    },
    async takeSteps() {
      held.worker ??= startWorker({
        queues,
        documents,
        owner: gate.owner,
        clock: { now },
        log: quietLog,
        pollEveryMs: 10,
      })
      const isDone = async () => {
        await tasks.get('duePosts')?.run(gate.owner, signal)
        const due = where.lte('due_at', gate.clock.now().toISOString())
        return (await gate.owner.rows(PostPlan).count(due)) === 0
      }
      await waitFor(isDone, { what: 'all due steps', timeoutMs: 600_000, everyMs: 30 })
    },
    async stop() {
      await held.worker?.stop()
      await gate.stop()
      await documents.close()
    },
  }
}

/** Makes a location that is connected to every platform. */
export async function connectAll({ gate }: PostProcess): Promise<void> {
  const { owner } = gate
  const location = await gate.put(BusinessLocation, {
    business_name: 'Bakery',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
    added_via: 'gbp_oauth',
    google_account_id: 'accounts/111',
    google_location_id: 'locations/222',
  })
  const { workspace_id } = location
  const connection = { workspace_id, provider: 'google', account_id: 'accounts/111', state: 'connected' }
  const row = await owner.rows(Connection).insert(connection as never)
  const field = tokenSecretField(row, 'refresh_token')
  await owner
    .rows(Connection)
    .update(row.id, { refresh_token: owner.outbound.secrets.seal('1//refresh', field) })
  for (const channel of channels) await connectChannel(owner, { location_id: location.id, ...channel })
}

/** A person writes a post for each platform and publishes it now. */
async function write({ gate: { owner } }: PostProcess): Promise<void> {
  const [location] = await owner.rows(BusinessLocation).list({ limit: 1 })
  if (!location) throw new Error('connect a location first')
  for (const platform of killedTargets) {
    const content = { summary: `News ${crypto.randomUUID()}.`, language: 'en', media: [] }
    const draft = { location_id: location.id, platform, post_type: 'update', content } as const
    await publishNow(owner, { post_id: (await createPost(owner, draft)).id })
  }
}

/**
 * As a process of its own: writes posts, takes the steps that are due and ends, unless somebody kills it before. Arguments:
 * store, origin of the platforms, minutes by which its clock runs ahead. A product that starts frees the leases of the one
 * before, as this does.
 */
if (import.meta.main) {
  const [, , path = '', origin = '', ahead = '0'] = process.argv
  const posts = await openPosts(path, origin, Number(ahead))
  await freeLeases(posts.gate.documents)
  await fetch(`${origin}/started`, { method: 'PUT' })
  await write(posts)
  await posts.takeSteps()
  process.exit(0)
}
