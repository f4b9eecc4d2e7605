import { randomBytes } from 'node:crypto'
import type { AskService, ServiceRequest } from '../../../../core/contracts/outbound'
import type { OwnerContext } from '../../../../core/contracts/plugin'
import type { Task } from '../../../../core/contracts/queue'
import { readSettings } from '../../../../core/contracts/settings'
import { createAskService } from '../../../../core/outbound/ask-service'
import { Connection } from '../../../../core/outbound/Connection'
import { createConnections, tokenSecretField } from '../../../../core/outbound/connections'
import { createSafeFetch } from '../../../../core/outbound/fetch/safe-fetch'
import { createSpend } from '../../../../core/outbound/limits/allowance'
import { createModel } from '../../../../core/outbound/model/model'
import { createSecrets } from '../../../../core/outbound/secrets'
import { corePlugins } from '../../../../core/product/core-plugins'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { createEnrichLocation } from '../../../../plugins/enrichment/work/enrichLocation'
import { putRow } from '../../../support/any-state'
import type { Liar } from '../../../support/liar'
import { platformPlugins, platformSettings, providers } from '../../../support/platforms'
import { quietLog } from '../../../support/quiet-log'
import { standInResolver } from '../../../support/stand-in-resolver'
import { appSecret, pageToken } from '../../../support/stand-ins/facebook'
import { createLanguageModel } from '../../../support/stand-ins/language-model'
import { placesKey } from '../../../support/stand-ins/places'
import { createProfiles } from '../../../support/stand-ins/profiles'
import { type Answered, serveWebsite } from '../../../support/stand-ins/website'
import { type Workbench, workbench } from '../../../support/workbench'

/** What the platforms know a location by. */
export const addedAs = {
  google: { added_via: 'gbp_oauth', google_account_id: 'accounts/111', google_location_id: 'locations/222' },
  facebook: { source: 'facebook', facebook_page_id: '777' },
  places: { added_via: 'places', google_place_id: 'ChIJx' },
} as const

export const queue = createEnrichLocation({ pauseMs: 0 })
export const llm = { LLM_BASE_URL: 'http://llm.test/v1', LLM_MODEL: 'small' }

interface Attempt {
  readonly attempt?: number
  readonly signal?: AbortSignal
  readonly through?: (owner: OwnerContext) => OwnerContext
}

/** A workspace whose locations are enriched from a website on a real socket and profiles on the wire. */
export async function enrichmentWorld({
  pages = {},
  settings: more = {},
  connected = true,
  liar,
  onAsk,
}: {
  readonly pages?: Readonly<Record<string, Answered>>
  readonly settings?: Readonly<Record<string, string>>
  readonly connected?: boolean
  /** Stands between the product and the platforms. */
  readonly liar?: Liar
  /** Hears every request before it is sent. */
  readonly onAsk?: (request: ServiceRequest) => void
} = {}) {
  const website = serveWebsite(pages)
  const profiles = createProfiles()
  const model = createLanguageModel()
  const resolver = standInResolver()
  for (const name of ['acme.example', 'www.acme.example', 'other.example'])
    resolver.setAddresses(name, ['127.0.0.1'])
  resolver.setAddresses('inside.example', ['10.0.0.1'])
  const clock = { now: () => bench.now }
  const secrets = createSecrets({ keys: [`k1:${randomBytes(32).toString('base64url')}`], folder: null })
  // Platforms and model stand behind a real socket too, each under its own name.
  const platforms = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      const asked = new Request(`http:/${pathname}${search}`, request)
      const honest = () => (pathname.startsWith('/llm.test/') ? model.fetch(asked) : profiles.fetch(asked))
      return liar ? liar.answer(asked, honest) : honest()
    },
  })
  const asking = createAskService({
    now: clock.now,
    fetch: (url, init) => {
      const { host, pathname, search } = new URL(url)
      return fetch(new URL(`/${host}${pathname}${search}`, platforms.url), init)
    },
  })
  const ask: AskService = (request) => {
    onAsk?.(request)
    return asking(request)
  }
  const settings = {
    GOOGLE_LOCATIONS_URL: 'http://google.test/v1',
    GOOGLE_REVIEWS_URL: 'http://google.test/v4',
    GOOGLE_TOKEN_URL: 'http://google.test/token',
    GOOGLE_CLIENT_ID: 'client',
    FACEBOOK_GRAPH_URL: 'http://graph.test',
    FACEBOOK_APP_SECRET: appSecret,
    PLACES_URL: 'http://places.test/v1',
    PLACES_API_KEY: placesKey,
    ...more,
  }
  const bench: Workbench = await workbench(
    [...corePlugins, ...platformPlugins],
    (documents) => {
      const spend = createSpend({ documents, clock })
      return {
        ask,
        secrets,
        spend,
        safeFetch: createSafeFetch({ dns: resolver, log: quietLog, allowLoopback: true }),
        model: createModel({ ask, spend, settings: readSettings(settings) }),
        connections: createConnections({
          documents,
          clock,
          secrets,
          ask,
          notify: async () => {},
          publish: async () => {},
          providers,
          settings: readSettings(settings, platformSettings),
        }),
      }
    },
    { settings },
  )
  const { owner } = bench
  const { workspace_id = '' } = await bench.command('agency create', { name: 'Acme' })
  if (connected) {
    const rows = owner.rows(Connection)
    const google = await rows.insert({
      workspace_id,
      provider: 'google',
      account_id: 'accounts/111',
      state: 'connected',
    })
    const refresh_token = secrets.seal('1//refresh', tokenSecretField(google, 'refresh_token'))
    await rows.update(google.id, { refresh_token })
    const page = await rows.insert({
      workspace_id,
      provider: 'facebook',
      account_id: '777',
      state: 'connected',
    })
    await rows.update(page.id, {
      access_token: secrets.seal(pageToken, tokenSecretField(page, 'access_token')),
    })
  }
  const taskOf = (attempt: number, signal: AbortSignal): Task => ({
    id: 'job_1',
    workspace_id,
    attempt,
    signal,
    saved: {},
    hold: async () => {},
    progress: async () => {},
    save: async () => {},
  })
  const row = async (id: string) => {
    const location = await owner.rows(BusinessLocation).get(id)
    if (!location) throw new Error('the location is gone')
    return location
  }
  /** One attempt of the job; `through` may stand between it and the stores. */
  const enrich = async (location_id: string, given: Attempt = {}) => {
    const { attempt = 1, signal = new AbortController().signal, through = (same) => same } = given
    await queue.run(through(owner), { location_id }, taskOf(attempt, signal))
    return row(location_id)
  }
  return {
    bench,
    owner,
    workspace_id,
    website,
    profiles,
    model,
    resolver,
    row,
    home: `http://acme.example:${website.port}/`,
    /** A location; it waits to be enriched unless told otherwise. */
    async location(changes: object = {}) {
      const { id } = await putRow(owner, BusinessLocation, {
        workspace_id,
        business_name: 'Acme',
        is_active: true,
        is_prospect: false,
        auto_response_enabled: false,
        enrichment_status: 'pending',
        enrichment_source: 'first-add',
        ...changes,
      })
      return id
    },
    enrich,
    /** What an attempt that fails throws. */
    async failure(location_id: string, attempt: Attempt = {}): Promise<unknown> {
      try {
        await enrich(location_id, attempt)
      } catch (error) {
        return error
      }
      throw new Error('it did not fail')
    },
    /** What the queue does with a fault that ends a job. */
    async bury(location_id: string, message: string) {
      const error = { kind: 'permanent', message } as const
      await queue.onDeadLetter?.(owner, { location_id }, error, taskOf(4, new AbortController().signal))
      return row(location_id)
    },
    async stop() {
      await website.stop()
      await platforms.stop(true)
      await bench.stop()
    },
  }
}
