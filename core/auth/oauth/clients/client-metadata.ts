import * as v from 'valibot'
import { ownerRows } from '../../../contexts/owner'
import { parseJson } from '../../../contracts/bounded-json'
import type { Row } from '../../../contracts/entity'
import type { SafeFetch } from '../../../contracts/outbound'
import type { Log } from '../../../contracts/plugin'
import { dayMs, hourMs, minuteMs } from '../../../contracts/time'
import type { Clock } from '../../../process/clock'
import { sha256Hex } from '../../../process/crypto'
import { headerText, mediaType } from '../../../requests/headers'
import type { Limits } from '../../../requests/limits'
import type { RequestState } from '../../../requests/request'
import type { Documents } from '../../../stores/documents/port'
import { OAuthError } from '../oauth-error'
import { appName } from './app-name'
import type { Client } from './client'
import { OAuthClient } from './OAuthClient'
import { redirectFault } from './redirect-uri'

export interface AppDocuments {
  /** Returns the app that the document describes. Throws `invalid_client` with the reason. */
  find(url: string, state: RequestState): Promise<Client>
}

export interface AppDocumentsDeps {
  readonly documents: Documents
  readonly clock: Clock
  readonly limits: Pick<Limits, 'count'>
  readonly safeFetch: SafeFetch
  readonly log: Log
}

const freshMs = { least: 5 * minuteMs, usual: hourMs, most: dayMs }
/** How long the last valid copy is used if a document cannot be fetched. */
const staleMs = 7 * dayMs
const bytesMax = 5 * 1024
const timeoutMs = 5_000
/** Maximum documents that are fetched at the same time, for all callers. */
const atOnceMax = 16
/** Maximum number of failed addresses to remember for a minute. */
const failedMax = 1_000
const busy = () =>
  new OAuthError(
    'temporarily_unavailable',
    'Too many app documents are being fetched. Try again in a minute.',
    {
      status: 503,
      headers: { 'retry-after': '5' },
    },
  )

/** Whether a client id is the URL of a document: https with a path, in its normal form. */
export function isDocumentUrl(clientId: string): boolean {
  if (
    clientId.length > 1_024 ||
    !/^https:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?\/[A-Za-z0-9\-._~:/?@!$&'()*+,;=%]+$/.test(clientId)
  )
    return false
  const url = URL.parse(clientId)
  return url !== null && url.href === clientId
}

/**
 * Fetches and caches Client ID Metadata Documents. A copy is used while it is fresh, or for a week if the
 * document cannot be fetched.
 */
export function createAppDocuments({
  documents,
  clock,
  limits,
  safeFetch,
  log,
}: AppDocumentsDeps): AppDocuments {
  const rows = ownerRows(documents.collection(OAuthClient), OAuthClient, clock)
  const underWay = new Map<string, Promise<Stored>>()
  const failed = new Map<string, { readonly until: number; readonly error: unknown }>()
  const after = (ms: number) => new Date(clock.now().getTime() + ms).toISOString()
  const store = async (id: string, row: Stored) => {
    if (await rows.update(id, row)) return
    await rows.insert({ ...row, id, workspace_id: 'none' }).catch(() => undefined)
  }
  const fetched = async (url: string, id: string): Promise<Stored> => {
    const { app, freshForMs } = await fetchDocument(safeFetch, url)
    const row = {
      ...app,
      url,
      auth_method: 'none',
      fresh_until: after(freshForMs),
      expires_at: after(staleMs),
    } as const
    await store(id, row)
    return row
  }
  const fresh = (url: string, id: string, state: RequestState): Promise<Stored> => {
    const known = underWay.get(url)
    if (known) return known
    const now = clock.now().getTime()
    const before = failed.get(url)
    if (before && before.until > now) return Promise.reject(before.error)
    limits.count(state, 'appDocument', { host: new URL(url).host })
    if (underWay.size >= atOnceMax) throw busy()
    const made = fetched(url, id)
      .catch((error) => {
        failed.delete(url)
        failed.set(url, { until: now + minuteMs, error })
        for (const oldest of failed.keys()) if (failed.size > failedMax) failed.delete(oldest)
        throw error
      })
      .finally(() => underWay.delete(url))
    underWay.set(url, made)
    return made
  }
  return {
    async find(url, state) {
      const id = `ocl_${await sha256Hex(url)}`
      const now = clock.now().toISOString()
      const row = await rows.get(id)
      const known = row && row.expires_at > now ? row : null
      if (known?.fresh_until !== undefined && known.fresh_until > now) return clientOf(url, known)
      try {
        return clientOf(url, await fresh(url, id, state))
      } catch (error) {
        if (!known) throw error
        log.warn('the document of an app cannot be fetched, so its last copy is used', {
          url,
          error: String(error),
        })
        await rows.update(id, { fresh_until: after(freshMs.least) })
        return clientOf(url, known)
      }
    },
  }
}

type Stored = Pick<
  Row<typeof OAuthClient>,
  'url' | 'name' | 'redirect_uris' | 'auth_method' | 'fresh_until' | 'expires_at'
>

const clientOf = (url: string, { name, redirect_uris }: Pick<Stored, 'name' | 'redirect_uris'>): Client => ({
  client_id: url,
  name,
  redirect_uris,
  auth_method: 'none',
  named_by: new URL(url).host,
})

const Document = v.object({
  client_id: v.string(),
  client_name: v.nullish(v.string()),
  redirect_uris: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(20)),
  token_endpoint_auth_method: v.nullish(v.string()),
  token_endpoint_auth_methods_supported: v.nullish(v.array(v.string())),
  client_secret: v.optional(v.never()),
})

async function fetchDocument(safeFetch: SafeFetch, url: string) {
  const headers = { accept: 'application/json' }
  const answer = await safeFetch(url, { maxBytes: bytesMax, timeoutMs, redirects: 0, headers }).catch(
    // The same text for every host. Different texts would reveal which names lead into the network of this
    // machine.
    () => refuse('It cannot be fetched.'),
  )
  if (answer.status !== 200) refuse(`Its address answered with status ${answer.status}.`)
  if (!/^application\/(?:[a-z0-9.-]+\+)?json$/.test(mediaType(answer.headers)))
    refuse('It is not sent as application/json.')
  const document = parsed(answer.body)
  if (document.client_id !== url) refuse('Its client_id is a different address.')
  const redirect_uris = document.redirect_uris.filter((uri) => redirectFault(uri) === undefined)
  const [first = ''] = document.redirect_uris
  if (redirect_uris.length === 0) refuse(`Its redirect address ${redirectFault(first)}.`)
  const methods = [
    document.token_endpoint_auth_method ?? 'none',
    ...(document.token_endpoint_auth_methods_supported ?? []),
  ]
  if (!methods.includes('none')) refuse('It uses an authentication method other than none.')
  const app = { name: appName(document.client_name), redirect_uris }
  return { app, freshForMs: freshFor(headerText(answer.headers, 'cache-control')) }
}

function parsed(body: Uint8Array): v.InferOutput<typeof Document> {
  try {
    return v.parse(Document, parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body)))
  } catch {
    return refuse('It is not a JSON object with client_id and redirect_uris.')
  }
}

function freshFor(cacheControl: string): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl)?.[1]
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return freshMs.least
  const wanted = seconds === undefined ? freshMs.usual : Number(seconds) * 1_000
  return Math.min(freshMs.most, Math.max(freshMs.least, wanted))
}

function refuse(why: string): never {
  throw new OAuthError('invalid_client', `The document that describes the app cannot be used. ${why}`, {
    status: 401,
  })
}
