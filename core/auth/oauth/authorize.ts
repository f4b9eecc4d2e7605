import { ownerRows } from '../../contexts/owner'
import { formPairsMax, hasTooManyPairs } from '../../contracts/bounded-form'
import { echoed } from '../../contracts/echoed'
import type { Row } from '../../contracts/entity'
import { Refusal, recoverIf } from '../../contracts/errors'
import { where } from '../../contracts/where'
import type { Clock } from '../../process/clock'
import type { Host } from '../../requests/host'
import type { Limits } from '../../requests/limits'
import type { RequestState } from '../../requests/request'
import type { Documents } from '../../stores/documents/port'
import type { Client } from './clients/client'
import type { Clients } from './clients/clients'
import { matchesRedirect, redirectHost, withAnswer } from './clients/redirect-uri'
import { OAuthRequest } from './grants/OAuthRequest'
import { isOAuthError, OAuthError, type OAuthErrorCode, plain } from './oauth-error'
import { type Params, parseParams } from './params'
import { isChallenge } from './pkce'
import { checkResources } from './resource'
import { requestedScopes } from './scopes'

export type AuthorizationRequest = Row<typeof OAuthRequest>

const decidedWithinMs = 10 * 60_000
const stateMax = 4_096
const requestForm = /^oar_[0-9A-Z]{26}$/

/** Requests of apps: each is checked once, then stored under an id until a person decides. */
export interface Requests {
  /** Returns the undecided request with this id at this host, or null if it was decided or has expired. */
  open(id: string, host: Host): Promise<AuthorizationRequest | null>
  /** Reserves the decision. False if it was already made. */
  decide(id: string): Promise<boolean>
  keep(
    row: Omit<
      AuthorizationRequest,
      'id' | 'workspace_id' | 'created_date' | 'updated_date' | 'expires_at' | 'is_decided'
    >,
  ): Promise<string>
}

export function createRequests({
  documents,
  clock,
}: {
  readonly documents: Documents
  readonly clock: Clock
}): Requests {
  const rows = ownerRows(documents.collection(OAuthRequest), OAuthRequest, clock)
  return {
    async open(id, host) {
      const row = requestForm.test(id) ? await rows.get(id) : null
      if (!row || row.is_decided || row.host !== host.origin) return null
      return row.expires_at > clock.now().toISOString() ? row : null
    },
    decide: async (id) => {
      const undecided = where.and(where.eq('id', id), where.eq('is_decided', false))
      return (await rows.updateWhere(undecided, { is_decided: true })) !== null
    },
    async keep(row) {
      const expires_at = new Date(clock.now().getTime() + decidedWithinMs).toISOString()
      return (await rows.insert({ ...row, workspace_id: 'none', is_decided: false, expires_at })).id
    },
  }
}

/** A refused request of an app: which app, why, and the address that reports it to the app. */
export interface RefusedApp {
  readonly client: Client
  readonly why: string
  readonly back: { readonly host: string; readonly url: string }
}

/**
 * The authorization endpoint. It always sends the person to the consent page. A refused request is shown to the
 * person, who may follow a link back to the app. Any app can register any address, so nobody is redirected to one
 * automatically (RFC 9700 §4.11.2).
 */
export const createAuthorize =
  (deps: {
    readonly clients: Clients
    readonly requests: Requests
    readonly limits: Pick<Limits, 'count'>
  }) =>
  async (
    state: RequestState,
    host: Host,
    isSignedIn: boolean,
    show: (refused: RefusedApp) => Response,
  ): Promise<Response> => {
    deps.limits.count(state, 'authorization')
    if (hasTooManyPairs(state.search)) throw told(`The app sent more than ${formPairsMax} parameters.`)
    const params = parseParams(state.search)
    const client = await clientOf(deps.clients, params, state, host)
    const redirect_uri = redirectOf(client, params)
    const givenState = params.raw('state')
    const ask = async () => {
      const checked = checkAsked(params, givenState, host)
      const { client_id } = client
      const asked = { host: host.origin, client_id, redirect_uri, ...checked }
      const id = await deps.requests.keep(givenState === undefined ? asked : { ...asked, state: givenState })
      return seeOther(`/oauth/consent?request=${id}`)
    }
    const refuse = ({ code, message }: OAuthError) => {
      if (!isSignedIn)
        return seeOther(`/app/sign-in?next=${encodeURIComponent(`${state.path}?${state.search}`)}`)
      const kept = givenState !== undefined && givenState.length <= stateMax ? givenState : undefined
      const asker = { redirect_uri, host: host.origin, ...(kept === undefined ? {} : { state: kept }) }
      const url = refusalUrl(asker, code, message)
      return show({ client, why: message, back: { host: redirectHost(redirect_uri), url } })
    }
    return ask().catch(recoverIf(isOAuthError, refuse))
  }

type Asker = Pick<AuthorizationRequest, 'redirect_uri' | 'host' | 'state'>

/** Returns the address that reports an error to the app. `iss` names the issuer (RFC 9207). */
const refusalUrl = ({ redirect_uri, host, state }: Asker, error: OAuthErrorCode, description: string) =>
  withAnswer(redirect_uri, { error, error_description: plain(description), iss: host }, state)

/** Redirects the person to the app with an error. */
export const refuseTo = (asker: Asker, error: OAuthErrorCode, description: string) =>
  seeOther(refusalUrl(asker, error, description))

/** Redirects the person to the app with a code. */
export const answerTo = ({ redirect_uri, host, state }: Asker, code: string) =>
  seeOther(withAnswer(redirect_uri, { code, iss: host }, state))

/** Redirects with 303, so that the browser does not send the form again. */
export const seeOther = (location: string) =>
  new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })

async function clientOf(clients: Clients, params: Params, state: RequestState, host: Host): Promise<Client> {
  if (params.duplicate === 'client_id') throw told('The app sent client_id twice.')
  const id = params.one('client_id')
  if (id === undefined) throw told('The app sent no client_id.')
  let why = ''
  const noClient = ({ message }: OAuthError) => {
    why = `${message} `
    return null
  }
  const client = await clients.find(id, host, state).catch(recoverIf(isOAuthError, noClient))
  if (client) return client
  throw told(
    `${why}Renown does not know this app, or no longer does. In the app, remove the connection and add it again.`,
  )
}

/**
 * Returns the redirect address of the request, which must be registered. An app with only one may omit it.
 */
function redirectOf({ redirect_uris: registered }: Client, params: Params): string {
  if (params.duplicate === 'redirect_uri') throw told('The app sent redirect_uri twice.')
  const given = params.one('redirect_uri')
  const [only, ...others] = registered
  if (given === undefined && only !== undefined && others.length === 0) return only
  if (given !== undefined && matchesRedirect(registered, given)) return given
  throw told(
    'The app asks to return to an address that it has not registered. In the app, remove the connection and add it again.',
  )
}

function checkAsked(params: Params, givenState: string | undefined, host: Host) {
  if (params.duplicate !== undefined)
    throw invalid(`The parameter ${echoed(params.duplicate)} was sent twice`)
  if (givenState !== undefined && !(givenState.length <= stateMax && /^[\x21-\x7e]*$/.test(givenState))) {
    throw invalid(`state must be text of at most ${stateMax} characters`)
  }
  const type = params.one('response_type')
  if (type === undefined) throw invalid('response_type is missing')
  if (type !== 'code') throw new OAuthError('unsupported_response_type', 'response_type must be code')
  if ((params.one('response_mode') ?? 'query') !== 'query') throw invalid('response_mode must be query')
  const code_challenge = params.one('code_challenge')
  if (code_challenge === undefined) throw invalid('code_challenge is missing: PKCE with S256 is required')
  if (params.one('code_challenge_method') !== 'S256') throw invalid('code_challenge_method must be S256')
  if (!isChallenge(code_challenge)) throw invalid('code_challenge must be a SHA-256 hash in base64url')
  checkResources(host.origin, params.all('resource'))
  return { code_challenge, scopes: [...requestedScopes(params.one('scope'))] }
}

const told = (text: string) => new Refusal('malformed_request', text)
const invalid = (text: string) => new OAuthError('invalid_request', text)
