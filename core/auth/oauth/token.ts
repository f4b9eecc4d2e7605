import type { Clock } from '../../process/clock'
import type { Host } from '../../requests/host'
import type { Report } from './audit-report'
import type { Client } from './clients/client'
import type { IsHolderActive } from './grants/active-grants'
import type { Codes } from './grants/codes'
import type { Grant, Grants } from './grants/grants'
import type { Tokens } from './grants/tokens'
import { json, OAuthError } from './oauth-error'
import type { Params } from './params'
import { provesChallenge } from './pkce'
import { checkResources } from './resource'
import { remainingScopes } from './scopes'

export interface TokenDeps {
  readonly codes: Codes
  readonly grants: Grants
  readonly tokens: Tokens
  readonly clock: Clock
  readonly standing: IsHolderActive
  readonly report: Report
}

/**
 * Exchanges a code or a refresh token for a pair of tokens (RFC 6749 §3.2). The app is already authenticated.
 */
export function createToken(deps: TokenDeps) {
  return async (client: Client, params: Params, host: Host): Promise<Response> => {
    checkResources(host.origin, params.all('resource'))
    switch (params.one('grant_type')) {
      case 'authorization_code':
        return json(await exchange(deps, client, params, host))
      case 'refresh_token':
        return json(await refresh(deps, client, params, host))
      case undefined:
        throw new OAuthError('invalid_request', 'grant_type is missing')
      default:
        throw new OAuthError(
          'unsupported_grant_type',
          'grant_type must be authorization_code or refresh_token',
        )
    }
  }
}

async function exchange(deps: TokenDeps, client: Client, params: Params, host: Host) {
  const { codes, grants, tokens, clock } = deps
  const shown = required(params, 'code')
  const verifier = required(params, 'code_verifier')
  const code = await codes.find(shown)
  if (code?.host !== host.origin || code.client_id !== client.client_id) throw unknownCode()
  if (code.is_used) return replayed(deps, code.grant_id)
  const isOver = code.valid_until <= clock.now().toISOString()
  if (isOver || !(await grants.liveAt(code.grant_id, host))) throw unknownCode()
  const redirect = params.one('redirect_uri')
  if (redirect !== undefined && redirect !== code.redirect_uri) {
    throw new OAuthError('invalid_grant', 'redirect_uri differs from the one that the code was sent to')
  }
  if (!provesChallenge(code.code_challenge, verifier)) {
    throw new OAuthError('invalid_grant', 'code_verifier does not match code_challenge')
  }
  if (!(await codes.take(code))) return replayed(deps, code.grant_id)
  const grant = await grants.connect(code.grant_id)
  if (!grant || !(await deps.standing(grant))) throw unknownCode()
  await deps.report(grant, 'app.connect')
  return tokens.issue(grant, remainingScopes(grant.scopes, params.one('scope')))
}

async function replayed(deps: TokenDeps, grantId: string): Promise<never> {
  await end(deps, grantId, 'code_replayed')
  throw unknownCode()
}

async function refresh(deps: TokenDeps, client: Client, params: Params, host: Host) {
  const { grants, tokens } = deps
  const token = await tokens.find(required(params, 'refresh_token'))
  if (token?.kind !== 'refresh') throw unknownToken()
  const grant = await grants.liveAt(token.grant_id, host)
  if (grant?.client_id !== client.client_id) throw unknownToken()
  if (!(await deps.standing(grant))) throw unknownToken()
  const rotation = await tokens.rotate(token)
  if (rotation === 'reused') await end(deps, grant.id, 'refresh_token_reused')
  if (rotation === 'sibling') await deps.report(grant, 'app.refresh_again')
  if (rotation === 'spent') throw unknownToken()
  // Null after a reuse too, because the grant has just ended.
  const renewed = await grants.renew(grant)
  if (!renewed) throw unknownToken()
  return tokens.issue(renewed, remainingScopes(grant.scopes, params.one('scope')))
}

async function end(
  { grants, report }: TokenDeps,
  id: string,
  reason: 'code_replayed' | 'refresh_token_reused',
) {
  const ended: Grant | null = await grants.end(id, reason)
  if (ended) await report(ended, `app.${reason}`, 'refused')
}

function required(params: Params, name: string): string {
  const value = params.one(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}

const unknownCode = () =>
  new OAuthError('invalid_grant', 'The code has expired, was used, or belongs to another app')
const unknownToken = () =>
  new OAuthError('invalid_grant', 'The refresh token has expired, was exchanged, or belongs to another app')
