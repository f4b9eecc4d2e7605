import { equalSecrets, sha256Hex } from '../../../process/crypto'
import { headerText } from '../../../requests/headers'
import type { Host } from '../../../requests/host'
import type { Limits } from '../../../requests/limits'
import type { RequestState } from '../../../requests/request'
import { OAuthError } from '../oauth-error'
import type { Params } from '../params'
import type { Client } from './client'
import type { Clients } from './clients'

interface Shown {
  readonly clientId: string | undefined
  readonly secret: string | undefined
  /** Whether the app used the Authorization header. */
  readonly isBasic: boolean
  /** Whether the app sent a signed assertion, which no app can register for. */
  readonly hasAssertion: boolean
}

/**
 * Authenticates an app, with its secret in the header or in the form, if it has one. Otherwise answers 401
 * `invalid_client`, the only answer after which clients register again.
 */
export const createClientAuth =
  ({ clients, limits }: { readonly clients: Clients; readonly limits: Pick<Limits, 'count'> }) =>
  async (request: Request, params: Params, state: RequestState, host: Host): Promise<Client> => {
    checkAddress(request)
    const shown = shownBy(request, params)
    limits.count(state, 'token', { app: shown.clientId?.slice(0, 200) ?? '' })
    const client = shown.clientId === undefined ? null : await clients.find(shown.clientId, host, state)
    if (client && (await proves(client, shown))) return client
    limits.count(state, 'failure')
    const headers: Record<string, string> = shown.isBasic
      ? { 'www-authenticate': 'Basic realm="renown"' }
      : {}
    const why = client
      ? `The app did not prove itself by ${client.auth_method}, as it registered`
      : 'This host does not know the app. Register it again'
    throw new OAuthError('invalid_client', why, { status: 401, headers })
  }

/** Checks the secret by the registered method only. A public app has no secret. */
async function proves({ secret_hash, auth_method }: Client, shown: Shown): Promise<boolean> {
  const { secret, isBasic, hasAssertion } = shown
  if (hasAssertion) return false
  if (secret_hash === undefined) return auth_method === 'none' && !isBasic && !secret
  const isItsWay = isBasic === (auth_method === 'client_secret_basic')
  return equalSecrets(await sha256Hex(secret ?? ''), secret_hash) && isItsWay
}

function shownBy(request: Request, params: Params): Shown {
  const authorization = headerText(request.headers, 'authorization')
  const isBasic = /^basic(?: |$)/i.test(authorization)
  const hasAssertion =
    params.one('client_assertion') !== undefined || params.one('client_assertion_type') !== undefined
  const inForm = { clientId: params.one('client_id'), secret: params.one('client_secret'), hasAssertion }
  if (hasAssertion && (isBasic || inForm.secret !== undefined)) throw twoProofs()
  if (!isBasic) return { ...inForm, isBasic }
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1]
  const [id = '', ...rest] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':')
  const clientId = unescaped(id)
  const isOther = encoded !== undefined && inForm.clientId !== undefined && inForm.clientId !== clientId
  if (inForm.secret !== undefined || isOther) throw twoProofs()
  return { clientId, secret: unescaped(rest.join(':')), isBasic, hasAssertion }
}

const twoProofs = () =>
  new OAuthError('invalid_request', 'The app authenticated itself in two ways. Use only one')

/** RFC 6749 §2.3.1: credentials are never part of the address, because logs keep addresses. */
function checkAddress(request: Request) {
  const { searchParams } = new URL(request.url)
  const name = ['client_secret', 'client_assertion'].find((one) => searchParams.has(one))
  if (name === undefined) return
  throw new OAuthError('invalid_request', `${name} must not be in the address. Register the app again`)
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
