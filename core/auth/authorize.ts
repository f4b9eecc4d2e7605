import type { WorkspaceInfo } from '../contracts/context'
import type { AnyEntity, Row } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { AnyOperation } from '../contracts/operation'
import { where } from '../contracts/where'
import type { Limits } from '../gateway/limits'
import type { Principal, RequestState } from '../gateway/request'
import type { Documents } from '../stores/documents/port'
import { scopeOf } from '../surface'
import { Agency } from '../tenancy/Agency'
import { Workspace } from '../tenancy/Workspace'
import type { AgentKeys } from './agent-keys'

export interface Authorizer {
  /** Who holds this request's bearer token. Nothing else is looked at: no cookie, no query parameter. */
  authenticate(request: Request, state: RequestState): Promise<Principal>
  /** The workspace that X-Workspace-Id names, or the home workspace. One answer for unreadable and unknown ones. */
  workspace(request: Request, principal: Principal): Promise<WorkspaceInfo>
}

export interface AuthorizerDeps {
  readonly documents: Documents
  readonly keys: AgentKeys
  readonly limits: Limits
}

/** The one gate: whether a credential is recognised, and which workspace it reads. */
export function createAuthorizer({ documents, keys, limits }: AuthorizerDeps): Authorizer {
  const refuse = (state: RequestState, detail: string, sent: boolean): never => {
    limits.failure(state)
    throw new Refusal('unauthenticated', detail, {
      hint: 'Send "Authorization: Bearer <key>". The agency owner creates keys with "renown key rotate".',
      extra: sent ? { token_sent: true } : {},
    })
  }
  const authenticate: Authorizer['authenticate'] = async (request, state) => {
    const header = request.headers.get('authorization')
    if (header === null) return refuse(state, 'A bearer token is required.', false)
    const token = /^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1]
    if (token === undefined) return refuse(state, 'The Authorization header holds no bearer token.', false)
    const key = await keys.verify(token)
    const agency = key && ((await documents.collection(Agency).get(key.id)) as Row<typeof Agency> | null)
    if (!agency?.is_active) return refuse(state, 'The credential was revoked or is not recognised.', true)
    return {
      id: `agent_key:${agency.id}`,
      kind: 'agent_key',
      agency_id: agency.id,
      platform: agency.is_platform === true,
      scopes: ['read', 'write'],
    }
  }
  const workspace: Authorizer['workspace'] = async (request, principal) => {
    const named = request.headers.get('x-workspace-id')
    const row =
      named === null ? await home(documents, principal) : await documents.collection(Workspace).get(named)
    const found = row as Row<typeof Workspace> | null
    if (found && (principal.platform || found.agency_id === principal.agency_id)) return infoOf(found)
    throw new Refusal(
      'workspace_not_readable',
      named === null
        ? 'The account has no home workspace.'
        : 'This credential cannot read the workspace it names.',
      { hint: 'GET /api/entities/Workspace lists the workspaces that this credential reads.' },
    )
  }
  return { authenticate, workspace }
}

/** Whether a credential may call an operation from a workspace: scopes, then the agency. Before any read of rows. */
export function authorizeOperation(
  operation: AnyOperation,
  principal: Principal,
  workspace: WorkspaceInfo,
): void {
  const scope = scopeOf(operation)
  if (!principal.scopes.includes(scope)) {
    throw new Refusal('insufficient_scope', `${operation.name} needs the scope "${scope}".`, {
      extra: { scope },
    })
  }
  if (workspace.agency_id !== principal.agency_id && operation.crossAgency !== 'allowed') {
    throw new Refusal('cross_agency_refused', `${operation.name} can be called in one's own agency only.`)
  }
}

/** Reading records needs the scope `read`. */
export function authorizeRead(entity: AnyEntity, principal: Principal): void {
  if (principal.scopes.includes('read')) return
  throw new Refusal('insufficient_scope', `Reading ${entity.name} needs the scope "read".`, {
    extra: { scope: 'read' },
  })
}

async function home(documents: Documents, { agency_id }: Principal) {
  const condition = where.and(where.eq('agency_id', agency_id), where.eq('is_home', true))
  const [row] = await documents.collection(Workspace).find({ where: condition, limit: 1 })
  return row ?? null
}

const infoOf = ({ id, agency_id, timezone, is_home }: Row<typeof Workspace>): WorkspaceInfo => ({
  id,
  agency_id,
  timezone,
  is_home,
})
