import type { Host } from '../../requests/host'
import type { Report } from './audit-report'
import type { Client } from './clients/client'
import type { Grants } from './grants/grants'
import type { Tokens } from './grants/tokens'
import { OAuthError } from './oauth-error'
import type { Params } from './params'

/**
 * Revokes a token (RFC 7009). An access token ends alone, a refresh token with its grant. A token of another
 * app stays valid, also with the answer 200.
 */
export const createRevoke =
  ({
    tokens,
    grants,
    report,
  }: {
    readonly tokens: Tokens
    readonly grants: Grants
    readonly report: Report
  }) =>
  async (client: Client, params: Params, host: Host): Promise<Response> => {
    const shown = params.one('token')
    if (shown === undefined) throw new OAuthError('invalid_request', 'token is missing')
    const token = await tokens.find(shown)
    const grant = token ? await grants.liveAt(token.grant_id, host) : null
    const isOwn = grant?.client_id === client.client_id
    if (token && grant && isOwn) {
      if (token.kind === 'access') await tokens.remove(token)
      else if (await grants.end(grant.id, 'revoked_by_app')) await report(grant, 'app.revoked_by_app')
    }
    return new Response(null, { status: 200, headers: { 'cache-control': 'no-store' } })
  }
