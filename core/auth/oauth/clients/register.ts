import * as v from 'valibot'
import { JsonExcess, parseJson } from '../../../contracts/bounded-json'
import { mintToken } from '../../../process/crypto'
import { readBytes } from '../../../requests/body'
import { mediaType } from '../../../requests/headers'
import type { Host } from '../../../requests/host'
import type { Limits } from '../../../requests/limits'
import type { RequestState } from '../../../requests/request'
import { authMethods } from '../metadata'
import { json, OAuthError } from '../oauth-error'
import { appName } from './app-name'
import type { Clients } from './clients'
import { redirectFault } from './redirect-uri'

export const clientSecretPrefix = 'rnw_cs_'
const bytesMax = 32 * 1024
const redirectsMax = 20

/**
 * The fields of an app's registration that are used. All others are ignored. Clients send null and empty text for
 * "none".
 */
const Metadata = v.object({
  redirect_uris: v.array(v.string()),
  client_name: v.nullish(v.string()),
  token_endpoint_auth_method: v.nullish(v.string()),
  grant_types: v.nullish(v.array(v.string())),
  response_types: v.nullish(v.array(v.string())),
})
type Metadata = v.InferOutput<typeof Metadata>

/** RFC 7591: an app registers itself. A registration gives no access, and is deleted after a day without consent. */
export const createRegister =
  ({ clients, limits }: { readonly clients: Clients; readonly limits: Pick<Limits, 'count'> }) =>
  async (request: Request, state: RequestState, host: Host): Promise<Response> => {
    limits.count(state, 'registration')
    const metadata = await readMetadata(request)
    checkRedirects(metadata.redirect_uris)
    const auth_method = methodOf(metadata)
    const grant_types = grantTypesOf(metadata)
    checkResponseTypes(metadata)
    const secret = auth_method === 'none' ? undefined : await mintToken(clientSecretPrefix)
    const name = appName(metadata.client_name)
    const { redirect_uris } = metadata
    const app = { name, redirect_uris, auth_method, ...(secret ? { secret_hash: secret.hash } : {}) }
    const { client_id, issued_at } = await clients.register(host, app)
    const answer = {
      client_id,
      client_id_issued_at: Math.floor(issued_at.getTime() / 1_000),
      ...(secret ? { client_secret: secret.token, client_secret_expires_at: 0 } : {}),
      client_name: name,
      redirect_uris,
      token_endpoint_auth_method: auth_method,
      grant_types,
      response_types: ['code'],
      scope: 'read write',
    }
    return json(answer, 201)
  }

async function readMetadata(request: Request): Promise<Metadata> {
  if (mediaType(request.headers) !== 'application/json')
    throw invalid('Post a JSON object: Content-Type application/json')
  const bytes = await readBytes(request, bytesMax)
  let value: unknown
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof JsonExcess) throw invalid(`The body ${error.message}`)
    throw invalid('The body is not JSON in UTF-8')
  }
  if (Array.isArray(value)) throw invalid('The body must be a JSON object')
  const result = v.safeParse(Metadata, value)
  if (result.success) return result.output
  const [issue] = result.issues
  const field = v.getDotPath(issue)?.split('.')[0]
  if (field === 'redirect_uris')
    throw new OAuthError('invalid_redirect_uri', 'redirect_uris must be a list of addresses')
  throw invalid(
    field === undefined
      ? 'The body must be a JSON object'
      : `${field} must be ${issue.expected ?? 'another value'}`,
  )
}

function checkRedirects(uris: readonly string[]) {
  if (uris.length === 0 || uris.length > redirectsMax) {
    throw new OAuthError('invalid_redirect_uri', `redirect_uris must have 1 to ${redirectsMax} addresses`)
  }
  for (const [place, uri] of uris.entries()) {
    const fault = redirectFault(uri)
    if (fault !== undefined) throw new OAuthError('invalid_redirect_uri', `redirect_uris[${place}] ${fault}`)
  }
}

/** Returns the authentication method of an app. RFC 7591 §2: the default is `client_secret_basic`. */
function methodOf({ token_endpoint_auth_method: named }: Metadata) {
  const method = authMethods.find((one) => one === (named || 'client_secret_basic'))
  if (method) return method
  throw invalid(`token_endpoint_auth_method must be one of ${authMethods.join(', ')}`)
}

/** Returns the supported grant types. A refresh token is always issued. */
function grantTypesOf({ grant_types: named }: Metadata): readonly string[] {
  if (!named || named.length === 0) return ['authorization_code']
  const served = ['authorization_code', 'refresh_token'].filter((one) => named.includes(one))
  if (served.includes('authorization_code')) return served
  throw invalid('grant_types must include authorization_code')
}

function checkResponseTypes({ response_types: named }: Metadata) {
  if (named && named.length > 0 && !named.includes('code')) throw invalid('response_types must include code')
}

const invalid = (text: string) => new OAuthError('invalid_client_metadata', text)
