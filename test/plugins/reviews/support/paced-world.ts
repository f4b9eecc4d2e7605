import type { OwnerContext } from '../../../../core/contracts/plugin'
import type { AnyQueue } from '../../../../core/contracts/queue'
import { readSettings } from '../../../../core/contracts/settings'
import { where } from '../../../../core/contracts/where'
import { Job } from '../../../../core/jobs/Job'
import { startWorker, type Worker } from '../../../../core/jobs/worker'
import { createAskService } from '../../../../core/outbound/ask-service'
import { rateLimits } from '../../../../core/outbound/limits/limits'
import { createPace } from '../../../../core/outbound/limits/pace'
import { withCore } from '../../../../core/product/core-plugins'
import type { Documents } from '../../../../core/stores/documents/port'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { AutoResponseRules } from '../../../../plugins/reviews/records/AutoResponseRules'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { dueReviews } from '../../../../plugins/reviews/sync/dueReviews'
import { platformPlugins, platformSettings, providers } from '../../../support/platforms'
import { quietLog } from '../../../support/quiet-log'
import { createLimitedGoogle } from '../../../support/stand-ins/limited-google'
import { virtualTime } from '../../../support/virtual-time'
import { passTime } from '../../../support/wait-for'
import { type Workbench, workbench } from '../../../support/workbench'

const connection = {
  id: 'con_1',
  provider: 'google',
  account_id: 'accounts/111',
  state: 'connected',
} as const

/** How long Google takes for an answer. */
const latencyMs = 200

/** Locations that share Google's limit, read by the product's own worker, on a clock that moves when everybody waits. */
export async function pacedWorld({
  sizes,
  faults = [],
  later = 0,
  perMinute = 300,
}: {
  /** Reviews at Google, by location. */
  readonly sizes: readonly number[]
  readonly faults?: number[]
  /** How many of the locations, from the end, are added by the test. */
  readonly later?: number
  /** Google's limit. */
  readonly perMinute?: number
}) {
  const time = virtualTime()
  const ids = sizes.map((_, n) => String(n + 1))
  const google = createLimitedGoogle({
    time,
    perMinute,
    faults,
    reviews: Object.fromEntries(ids.map((id, n) => [id, sizes[n] ?? 0])),
  })
  const settings = {
    GOOGLE_REVIEWS_URL: 'http://google.test/v4',
    GOOGLE_CLIENT_ID: 'client',
    ...(perMinute === 300 ? {} : { GOOGLE_CALLS_PER_MINUTE: String(perMinute - 2) }),
  }
  const waiting = { count: 0 }
  const stores: Documents[] = []
  const bench: Workbench = await workbench(
    withCore(platformPlugins),
    (documents) => {
      stores.push(documents)
      const served = createAskService({
        now: time.now,
        fetch: async (url, init) => {
          waiting.count++
          await time.sleep(latencyMs)
          waiting.count--
          return google.fetch(new Request(url, init))
        },
      })
      const limits = rateLimits(providers, readSettings(settings, platformSettings))
      const pace = createPace({ documents, clock: time, limits, sleep: time.sleep })
      const granted = new WeakSet<object>()
      const ask = pace(((request: Parameters<typeof served>[0]) => {
        granted.add(request)
        waiting.count--
        return served(request)
      }) as typeof served)
      const counted = async (request: Parameters<typeof served>[0]) => {
        waiting.count++
        return ask(request).finally(() => {
          if (!granted.has(request)) waiting.count--
        })
      }
      return {
        ask: counted as typeof served,
        connections: {
          list: async ({ workspace_id }) => [{ ...connection, workspace_id }],
          get: async () => null,
          token: async () => 'token',
          fail: async () => {},
          works: async () => {},
        },
      }
    },
    { settings, random: () => 0 },
  )
  Object.defineProperty(bench, 'now', { get: time.now })
  const { owner } = bench
  const { agency_id = '', workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  await owner.rows(AutoResponseRules).insert({
    id: agency_id,
    workspace_id: agency_id,
    is_enabled: true,
    ratings: [5],
    include_unrated: false,
    delay_min_minutes: 1,
    delay_max_minutes: 1,
    newest_days: 1,
    tone: 'friendly',
    allow_templates: true,
  })
  const locations: string[] = []
  const add = async (google_location_id: string) => {
    const location = await owner.rows(BusinessLocation).insert({
      workspace_id,
      business_name: `Acme ${google_location_id}`,
      is_active: true,
      is_prospect: false,
      auto_response_enabled: true,
      added_via: 'gbp_oauth',
      google_account_id: 'accounts/111',
      google_location_id: `locations/${google_location_id}`,
    })
    const due_at = time.now().toISOString()
    await owner.rows(ReviewListing).insert({ workspace_id, location_id: location.id, due_at })
    locations.push(location.id)
    return location.id
  }
  for (const id of ids.slice(0, ids.length - later)) await add(id)
  const drive = createDriver(bench, stores[0] as Documents, time, waiting)
  return { bench, owner, google, time, locations, add, ...drive }
}

/** Runs the queues until they are empty, and moves the clock when every job waits. */
function createDriver(
  bench: Workbench,
  documents: Documents,
  time: ReturnType<typeof virtualTime>,
  waiting: { readonly count: number },
) {
  const { owner, registry } = bench
  const running = new Map<string, number>()
  const queues = new Map<string, AnyQueue>()
  for (const [name, queue] of registry.queues) {
    const run: AnyQueue['run'] = async (...given) => {
      running.set(name, (running.get(name) ?? 0) + 1)
      return queue.run(...given).finally(() => running.set(name, (running.get(name) ?? 0) - 1))
    }
    queues.set(name, { ...queue, run })
  }
  const isFree = (name: string) => (running.get(name) ?? 0) < (queues.get(name)?.atOnce ?? 1)
  const runningNow = () => [...running.values()].reduce((sum, count) => sum + count, 0)
  const rounds = async (count: number) => {
    for (let n = 0; n < count; n++) await new Promise((resolve) => setImmediate(resolve))
  }
  const start = (through: OwnerContext = owner): Worker =>
    startWorker({
      queues,
      owner: through,
      clock: time,
      log: quietLog,
      random: () => 0,
      pollEveryMs: 1,
      documents,
      // The clock of the store jumps, and nobody dies of it here.
      times: { leaseMs: 86_400_000 },
    })
  /** Until the jobs of the queues are done, or so much time has gone by. */
  const until = async (isOver: () => boolean | Promise<boolean>, withinMs: number): Promise<void> => {
    const waitingJobs = where.and(where.eq('is_active', true), where.eq('state', 'queued'))
    let lookedForDue = 0
    while (!(await isOver())) {
      await rounds(20)
      if (time.elapsed() > withinMs) return
      if (runningNow() !== waiting.count) continue
      const queued = await owner.rows(Job).list({ where: waitingJobs, limit: 1_000 })
      const now = time.now().getTime()
      const isClaimable = queued.some(({ queue, due_at }) => Date.parse(due_at) <= now && isFree(queue))
      if (isClaimable) {
        await passTime(1)
        continue
      }
      if (now - lookedForDue >= 60_000) {
        lookedForDue = now
        await dueReviews.run(owner, new AbortController().signal)
        continue
      }
      const later = queued.map(({ due_at }) => Date.parse(due_at)).filter((due) => due > now)
      const next = Math.min(time.next(), lookedForDue + 60_000, ...later)
      await rounds(20)
      if (runningNow() === waiting.count && !(await isOver())) time.moveTo(next)
    }
  }
  return { start, until }
}
