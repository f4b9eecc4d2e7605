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
}

/**
 * Authenticates an app, with its secret in the header or in the form, if it has one. Otherwise answers 401
 * `invalid_client`, the only answer after which clients register again.
 */
export const createClientAuth =
  ({ clients, limits }: { readonly clients: Clients; readonly limits: Pick<Limits, 'count'> }) =>
  async (request: Request, params: Params, state: RequestState, host: Host): Promise<Client> => {
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
async function proves({ secret_hash, auth_method }: Client, { secret, isBasic }: Shown): Promise<boolean> {
  if (secret_hash === undefined) return auth_method === 'none' && !isBasic && !secret
  const isItsWay = isBasic === (auth_method === 'client_secret_basic')
  return equalSecrets(await sha256Hex(secret ?? ''), secret_hash) && isItsWay
}

function shownBy(request: Request, params: Params): Shown {
  const inForm = { clientId: params.one('client_id'), secret: params.one('client_secret'), isBasic: false }
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(headerText(request.headers, 'authorization'))?.[1]
  if (encoded === undefined) return inForm
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const clientId = unescaped(id)
  if (inForm.secret !== undefined || (inForm.clientId !== undefined && inForm.clientId !== clientId)) {
    throw new OAuthError(
      'invalid_request',
      'The app sent its secret both in the header and in the form. Send it only once',
    )
  }
  return { clientId, secret: unescaped(rest.join(':')), isBasic: true }
}

/** RFC 6749 §2.3.1: both parts are form-encoded before they are joined. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
