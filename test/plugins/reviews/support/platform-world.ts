import { randomBytes } from 'node:crypto'
import type { AskService, ServiceRequest } from '../../../../core/contracts/outbound'
import type { Log, OwnerContext, PluginDeclaration } from '../../../../core/contracts/plugin'
import type { Task } from '../../../../core/contracts/queue'
import { readSettings } from '../../../../core/contracts/settings'
import { createAskService } from '../../../../core/outbound/ask-service'
import { Connection } from '../../../../core/outbound/Connection'
import { createConnections, tokenSecretField } from '../../../../core/outbound/connections'
import { createSpend } from '../../../../core/outbound/limits/allowance'
import { createModel } from '../../../../core/outbound/model/model'
import { createSecrets } from '../../../../core/outbound/secrets'
import { withCore } from '../../../../core/product/core-plugins'
import type { Documents } from '../../../../core/stores/documents/port'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { analyseReview } from '../../../../plugins/reviews/analysis/analyseReview'
import { drawInsights } from '../../../../plugins/reviews/operations/drawInsights'
import { AutoResponseRules } from '../../../../plugins/reviews/records/AutoResponseRules'
import { ReviewListing } from '../../../../plugins/reviews/records/ReviewListing'
import { actOf } from '../../../../plugins/reviews/reply/requestReply'
import { sendPersonReply } from '../../../../plugins/reviews/reply/sendPersonReply'
import { sendReply } from '../../../../plugins/reviews/reply/sendReply'
import { syncReviews } from '../../../../plugins/reviews/sync/syncReviews'
import { awaitingAll } from '../../../support/awaiting-all'
import type { Liar } from '../../../support/liar'
import { platformPlugins, platformSettings, providers } from '../../../support/platforms'
import { createDataforseo, dataforseoLogin } from '../../../support/stand-ins/dataforseo'
import { appSecret, createFacebook, pageToken } from '../../../support/stand-ins/facebook'
import { createGoogle } from '../../../support/stand-ins/google'
import { createLanguageModel } from '../../../support/stand-ins/language-model'
import { createPlaces, placesKey } from '../../../support/stand-ins/places'
import { type Workbench, workbench } from '../../../support/workbench'

/** What the platforms know the location by. */
const addedAs = {
  google: {
    added_via: 'gbp_oauth',
    google_account_id: 'accounts/111',
    google_location_id: 'locations/222',
    country: 'GB',
  },
  facebook: { source: 'facebook', facebook_page_id: '777', country: 'GB' },
  places: { added_via: 'places', google_place_id: 'ChIJx' },
  dataforseo: { added_via: 'dfs_keyword', country: 'GB', city: 'Leeds' },
} as const

/** One location whose reviews are read from a platform's stand-in over its wire, under a clock of the test's. */
export async function platformWorld({
  random = () => 0.5,
  platform = 'google',
  settings: more = {},
  server,
  liar,
  onAsk,
  onTask,
  log,
  plugins = platformPlugins,
}: {
  readonly random?: () => number
  readonly platform?: keyof typeof addedAs
  readonly settings?: Record<string, string>
  /** Where the stand-ins are served, for readings over real connections; in process otherwise. */
  readonly server?: { readonly url: URL; handle: (request: Request) => Promise<Response> }
  /** Stands between the product and the stand-ins. */
  readonly liar?: Liar
  /** Hears every request before it is sent. */
  readonly onAsk?: (request: ServiceRequest) => void
  /** Hears what a job reports and saves. */
  readonly onTask?: (call: 'progress' | 'save', given: object) => void
  readonly log?: Log
  readonly plugins?: readonly PluginDeclaration[]
} = {}) {
  const stores: Documents[] = []
  const google = createGoogle({ now: () => bench.now.getTime() })
  const facebook = createFacebook({ now: () => bench.now.getTime() })
  const places = createPlaces(google.reviews)
  const dataforseo = createDataforseo(google.reviews)
  const model = createLanguageModel()
  const clock = { now: () => bench.now }
  const secrets = createSecrets({ keys: [`k1:${randomBytes(32).toString('base64url')}`], folder: null })
  const asking = createAskService({
    now: clock.now,
    fetch: (url, init) => {
      if (!server) return answer(new Request(url, init))
      const { host, pathname, search } = new URL(url)
      return fetch(new URL(`/${host}${pathname}${search}`, server.url), init)
    },
  })
  const ask: AskService = (request) => {
    onAsk?.(request)
    return asking(request)
  }
  const hosts: Record<string, typeof google.fetch> = {
    'google.test': google.fetch,
    'graph.test': facebook.fetch,
    'places.test': places.fetch,
    'dfs.test': dataforseo.fetch,
    'llm.test': model.fetch,
  }
  const answer = (request: Request) => {
    const { hostname } = new URL(request.url)
    const standIn = hosts[hostname]
    if (!standIn) throw new Error(`no stand-in for ${hostname}`)
    return liar ? liar.answer(request, () => standIn(request)) : standIn(request)
  }
  if (server) {
    server.handle = (request) => {
      const { pathname, search } = new URL(request.url)
      return answer(new Request(`http:/${pathname}${search}`, request))
    }
  }
  const settings = {
    GOOGLE_REVIEWS_URL: 'http://google.test/v4',
    GOOGLE_TOKEN_URL: 'http://google.test/token',
    GOOGLE_CLIENT_ID: 'client',
    FACEBOOK_GRAPH_URL: 'http://graph.test',
    FACEBOOK_APP_SECRET: appSecret,
    PLACES_URL: 'http://places.test/v1',
    PLACES_API_KEY: placesKey,
    DATAFORSEO_URL: 'http://dfs.test',
    DATAFORSEO_LOGIN: dataforseoLogin.login,
    DATAFORSEO_PASSWORD: dataforseoLogin.password,
    ...more,
  }
  const news: string[] = []
  const bench: Workbench = await workbench(
    withCore(plugins),
    (documents) => ({
      ...(stores.push(documents) && { ask, secrets, spend: createSpend({ documents, clock }) }),
      model: createModel({
        ask,
        spend: createSpend({ documents, clock }),
        settings: readSettings(settings),
      }),
      connections: createConnections({
        documents,
        clock,
        secrets,
        ask,
        notify: async ({ type }) => void news.push(type),
        publish: async () => {},
        providers,
        settings: readSettings(settings, platformSettings),
      }),
    }),
    { settings, random, ...(log ? { log } : {}) },
  )
  const { agency_id = '', workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  const { owner } = bench
  const connection = await owner.rows(Connection).insert({
    workspace_id,
    provider: 'google',
    account_id: 'accounts/111',
    state: 'connected',
  })
  const refresh_token = secrets.seal('1//refresh', tokenSecretField(connection, 'refresh_token'))
  await owner.rows(Connection).update(connection.id, { refresh_token })
  const ofPage = await owner.rows(Connection).insert({
    workspace_id,
    provider: 'facebook',
    account_id: '777',
    state: 'connected',
  })
  const access_token = secrets.seal(pageToken, tokenSecretField(ofPage, 'access_token'))
  await owner.rows(Connection).update(ofPage.id, { access_token })
  const location = await owner.rows(BusinessLocation).insert({
    workspace_id,
    business_name: 'Acme',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: true,
    ...addedAs[platform],
  })
  await owner
    .rows(ReviewListing)
    .insert({ workspace_id, location_id: location.id, due_at: bench.now.toISOString() })
  const saved = new Map<string, Task['saved']>()
  const taskOf = (id: string, attempt = 1): Task => ({
    id,
    workspace_id,
    attempt,
    signal: new AbortController().signal,
    saved: saved.get(id) ?? {},
    hold: async () => {},
    progress: async (at) => onTask?.('progress', at),
    async save(state) {
      onTask?.('save', state)
      saved.set(id, state)
    },
  })
  return {
    bench,
    /** The store, for a gate on the same rows. */
    documents: stores[0] as Documents,
    google,
    facebook,
    places,
    dataforseo,
    model,
    owner,
    agency_id,
    workspace_id,
    location_id: location.id,
    news,
    /** Runs work as the worker does; throws when it ends before one of its calls. */
    asJob: <T>(run: (ctx: OwnerContext) => Promise<T>) => awaitingAll(owner, run),
    /** Reads the location's reviews; `through` may stand between the sync and the stores. */
    sync: (through: (owner: OwnerContext) => OwnerContext = (same) => same, manual = false) =>
      awaitingAll(owner, (ctx, watchToo) =>
        syncReviews.run(through(ctx), { location_id: location.id, manual }, watchToo('task', taskOf('sync'))),
      ),
    /** The next attempt of a sync that has begun: what it saved is there. Forgets it when the job has ended. */
    again: async (attempt: number) => {
      const payload = { location_id: location.id, manual: false }
      await awaitingAll(owner, (ctx, watchToo) =>
        syncReviews.run(ctx, payload, watchToo('task', taskOf('sync', attempt))),
      )
      saved.delete('sync')
    },
    analyse: (
      review_id: string,
      attempt = 1,
      through: (owner: OwnerContext) => OwnerContext = (same) => same,
    ) =>
      awaitingAll(owner, (ctx, watchToo) =>
        analyseReview.run(through(ctx), { review_id }, watchToo('task', taskOf(review_id, attempt))),
      ),
    insights: () =>
      awaitingAll(owner, (ctx, watchToo) =>
        drawInsights.run(ctx, { location_id: location.id }, watchToo('task', taskOf('insights'))),
      ),
    /** Answers a review; `through` may stand between the worker and the stores. */
    reply: (
      review_id: string,
      attempt = 1,
      through: (owner: OwnerContext) => OwnerContext = (same) => same,
    ) =>
      awaitingAll(owner, (ctx, watchToo) =>
        sendReply.run(through(ctx), { review_id }, watchToo('task', taskOf(review_id, attempt))),
      ),
    /** Runs the act that a person last asked for; `through` may stand between the worker and the stores. */
    act: async (
      review_id: string,
      attempt = 1,
      through: (owner: OwnerContext) => OwnerContext = (same) => same,
    ) => {
      const act = await actOf(owner, { id: review_id, workspace_id })
      if (!act) throw new Error('nobody asked for anything')
      const { act_id } = act
      await awaitingAll(owner, (ctx, watchToo) =>
        sendPersonReply.run(through(ctx), { review_id, act_id }, watchToo('task', taskOf(act_id, attempt))),
      )
    },
    location: async () => {
      const row = await owner.rows(BusinessLocation).get(location.id)
      if (!row) throw new Error('the location is gone')
      return row
    },
    rules: (changes: object = {}) =>
      owner.rows(AutoResponseRules).insert({
        id: agency_id,
        workspace_id: agency_id,
        is_enabled: true,
        ratings: [4, 5],
        include_unrated: false,
        delay_min_minutes: 60,
        delay_max_minutes: 120,
        newest_days: 7,
        tone: 'friendly',
        allow_templates: true,
        ...changes,
      }),
    /** Lets time go by. */
    later(ms: number) {
      bench.now = new Date(bench.now.getTime() + ms)
    },
  }
}
