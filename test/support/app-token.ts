import { createGrants } from '../../core/auth/oauth/grants/grants'
import { createTokens } from '../../core/auth/oauth/grants/tokens'
import { User } from '../../core/tenancy/User'
import type { Gate } from './harness'

export interface AppTokenOptions {
  readonly scopes?: readonly ('read' | 'write')[]
  /** The workspaces that were chosen; all of the agency where it is left out. */
  readonly workspaces?: readonly string[]
  readonly host?: string
  readonly minutes?: number
}

/** An app's access token, and what ends it. As after a consent, without the pages: those are gone through elsewhere. */
export async function appToken(gate: Gate, agencyId: string, options: AppTokenOptions = {}) {
  const { scopes = ['read', 'write'], workspaces, host = 'http://localhost:3000', minutes = 60 } = options
  const grants = createGrants(gate)
  const tokens = createTokens({ ...gate, accessMinutes: minutes })
  const user = await gate.put(User, { agency_id: agencyId, role: 'owner', is_active: true }, agencyId)
  const grant = await grants.begin({
    agency_id: agencyId,
    user_id: user.id,
    host,
    client_id: 'ocl_none',
    client_name: 'An app',
    is_verified: false,
    app_host: 'localhost',
    scopes: [...scopes],
    ...(workspaces ? { workspace_ids: [...workspaces] } : {}),
  })
  const connected = await grants.connect(grant.id)
  const { access_token } = await tokens.issue(connected ?? grant, scopes)
  return {
    token: access_token,
    disconnect: () => grants.end(grant.id, 'disconnected'),
    dismissPerson: () => gate.owner.rows(User).update(user.id, { is_active: false }),
  }
}
