import type { WorkspaceInfo } from '../contracts/context'
import type { AnyEntity, Row } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { AnyOperation } from '../contracts/operation'
import { where } from '../contracts/where'
import { scopeOf } from '../registry/surface'
import type { Limits } from '../requests/limits'
import type { Principal, RequestState } from '../requests/request'
import type { Documents } from '../stores/documents/port'
import { BoundedMap, cachedDocuments, cachedReads, jointly } from '../stores/documents/read-cache'
import { Agency } from '../tenancy/Agency'
import { canBeName } from '../tenancy/named-workspaces'
import { User } from '../tenancy/User'
import { Workspace } from '../tenancy/Workspace'
import { createWorkedOn, inactiveWorkspace } from '../tenancy/worked-on'
import { AgentKey } from './AgentKey'
import type { AgentKeys } from './agent-keys'
import { accessTokenPrefix } from './oauth/grants/tokens'
import type { OAuth } from './oauth/index'
import { createWorkspaceNames } from './workspace-names'

const rememberedMax = 10_000

export interface Authorizer {
  /** Returns the holder of the request's bearer token. Ignores cookies and query parameters. */
  authenticate(request: Request, state: RequestState): Promise<Principal>
  /**
   * Returns the workspace of the id or name in X-Workspace-Id, or the home workspace. Unreadable and unknown ones get the
   * same answer.
   */
  workspace(
    state: RequestState,
    principal: Principal,
    header: string | null,
  ): WorkspaceInfo | Promise<WorkspaceInfo>
  /** Returns the workspace whose id or name an argument contains. */
  workspaceNamed(text: string, principal: Principal): Promise<WorkspaceInfo>
  /** Throws a `workspace_inactive` Refusal if a writing operation is called in an inactive workspace. */
  requireActive(operation: AnyOperation, workspace: WorkspaceInfo): Promise<void> | undefined
}

export interface AuthorizerDeps {
  readonly documents: Documents
  readonly keys: AgentKeys
  readonly oauth: Pick<OAuth, 'verify'>
  readonly limits: Limits
}

/** A recognized credential, with the row of the workspace that it reads. */
interface Recognised {
  readonly principal: Principal
  readonly workspace: Row<typeof Workspace> | null
}

/** Checks credentials and chooses the workspace to read. The prefix of a credential shows its kind. */
export function createAuthorizer(deps: AuthorizerDeps): Authorizer {
  const { documents, limits } = deps
  const workspaceRow = createWorkspaceRow(documents)
  const shared = { ...deps, agencyRow: cachedDocuments(documents.collection(Agency)), workspaceRow }
  const byName = createWorkspaceNames(documents)
  const { isWorkedOn } = createWorkedOn(documents)
  const refuseInactive = async (id: string) => {
    if (!(await isWorkedOn(id))) throw inactiveWorkspace()
  }
  const byKey = createKeyAuthenticator(shared)
  const byToken = createTokenAuthenticator(shared)
  const refuse = (state: RequestState, detail: string, sent: boolean): never => {
    limits.count(state, 'failure')
    throw new Refusal('unauthenticated', detail, {
      hint: 'Send "Authorization: Bearer <key>". The agency owner creates keys with "renown key rotate". Apps that sign in start at the resource_metadata URL in the WWW-Authenticate header.',
      extra: sent ? { error: 'invalid_token' } : {},
    })
  }
  const authenticate: Authorizer['authenticate'] = async (request, state) => {
    const header = request.headers.get('authorization')
    if (header === null) return refuse(state, 'A bearer token is required.', false)
    const token = /^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1]
    if (token === undefined) return refuse(state, 'The Authorization header has no bearer token.', false)
    const named = request.headers.get('x-workspace-id')
    const authenticator = token.startsWith(accessTokenPrefix) ? byToken : byKey
    const found = await authenticator(token, state, named)
    if (typeof found === 'string') return refuse(state, found, true)
    state.workspaceRow = found.workspace
    return found.principal
  }
  return {
    authenticate,
    workspace: (state, principal, header) => {
      const row = state.workspaceRow ?? null
      const text = header === null ? '' : decoded(header)
      return !isReadable(row, principal) && canBeName(text)
        ? byName(text, principal, { header: 'X-Workspace-Id' }).then(infoOf)
        : readable(row, principal)
    },
    workspaceNamed: async (text, principal) => {
      const row = await workspaceRow(text, principal.agency_id)
      if (isReadable(row, principal) || !canBeName(text)) return readable(row, principal)
      return infoOf(await byName(text, principal, { parameter: 'workspace_id' }))
    },
    requireActive: (operation, { id }) => (operation.class === 'read' ? undefined : refuseInactive(id)),
  }
}

interface AuthenticatorDeps extends AuthorizerDeps {
  readonly agencyRow: (id: string) => Promise<Row<typeof Agency> | null>
  readonly workspaceRow: ReturnType<typeof createWorkspaceRow>
}

/** Returns the holder of a token of one kind, or why it has none. */
type Authenticator = (
  token: string,
  state: RequestState,
  named: string | null,
) => Promise<Recognised | string>

const unrecognised = 'The credential was revoked or is not recognised.'

/** Longest workspace id that is cached. */
const nameCharactersMax = 64

/**
 * Caches the holder of a key until something writes to its rows, so a revoked key stops working immediately.
 */
function createKeyAuthenticator({
  keys,
  documents,
  agencyRow,
  workspaceRow,
}: AuthenticatorDeps): Authenticator {
  const rowsOf = (agencyId: string, named: string | null) =>
    Promise.all([agencyRow(agencyId), workspaceRow(named, agencyId)])
  const look = async (_: string, hash: string, named: string | null) => {
    const guess = keys.lastHolder(hash)
    const [key, guessed] = await Promise.all([keys.find(hash), guess ? rowsOf(guess, named) : null])
    if (!key) return null
    const [agency, workspace] = guessed && guess === key.id ? guessed : await rowsOf(key.id, named)
    return agency?.is_active ? { key, workspace, principal: keyPrincipal(agency) } : null
  }
  const rests = jointly([AgentKey, Agency, Workspace].map((entity) => documents.collection(entity)))
  const kept = cachedReads(rests, look)
  return async (token, { host }, named) => {
    const hash = keys.hashOf(token)
    if (hash === null) return unrecognised
    const recognise = named !== null && named.length > nameCharactersMax ? look : kept
    const found = await recognise(named === null ? hash : `${hash} ${named}`, hash, named)
    if (!found) return unrecognised
    if (host?.kind === 'white_label' && host.agency_id !== found.principal.agency_id) {
      return "The credential is not one of this host: it is another agency's domain."
    }
    keys.used(found.key)
    return found
  }
}

const keyPrincipal = ({ id, is_platform }: Row<typeof Agency>): Principal =>
  Object.freeze({
    id: `agent_key:${id}`,
    kind: 'agent_key',
    agency_id: id,
    platform: is_platform === true,
    scopes: Object.freeze(['read', 'write'] as const),
  })

/**
 * A token works only at the host that issued it, and only while its grant, its person and its agency are
 * active.
 */
function createTokenAuthenticator({
  oauth,
  documents,
  agencyRow,
  workspaceRow,
}: AuthenticatorDeps): Authenticator {
  const userRow = cachedDocuments(documents.collection(User))
  const firstOf = async (ids: readonly string[], agencyId: string) => {
    for (const id of ids) {
      const row = await workspaceRow(id, agencyId)
      if (row) return row
    }
    return null
  }
  return async (text, state, named) => {
    const found = await oauth.verify(text, state.host)
    if (!found) return unrecognised
    const { token, grant } = found
    const { workspace_ids } = grant
    const [agency, user, home] = await Promise.all([
      agencyRow(grant.agency_id),
      userRow(grant.user_id),
      workspaceRow(named, grant.agency_id),
    ])
    if (!agency?.is_active || !user?.is_active || user.agency_id !== agency.id) return unrecognised
    const principal: Principal = {
      id: `oauth:${grant.id}`,
      kind: 'oauth',
      app: grant.client_name,
      agency_id: agency.id,
      platform: agency.is_platform === true,
      scopes: token.scopes,
      ...(workspace_ids ? { workspace_ids } : {}),
    }
    // If the home workspace is not among the selected ones, the first selected workspace that exists replaces
    // it.
    const isHomeAway =
      named === null && workspace_ids !== undefined && !workspace_ids.includes(home?.id ?? '')
    const workspace = isHomeAway ? await firstOf(workspace_ids, agency.id) : home
    return { principal, workspace }
  }
}

/**
 * Looks up the named workspace, or the agency's home workspace, whose id is cached. The row is looked up every time.
 */
function createWorkspaceRow(documents: Documents) {
  const workspaces = documents.collection(Workspace)
  const workspaceRow = cachedDocuments(workspaces)
  const homes = new BoundedMap<string, string>(rememberedMax)
  return async (named: string | null, agencyId: string): Promise<Row<typeof Workspace> | null> => {
    if (named !== null) return workspaceRow(named)
    const known = homes.get(agencyId)
    const row = known === undefined ? null : await workspaceRow(known)
    if (row?.is_home === true && row.agency_id === agencyId) return row
    const condition = where.and(where.eq('agency_id', agencyId), where.eq('is_home', true))
    const [home] = await workspaces.find({ where: condition, limit: 1 })
    if (!home) return null
    homes.set(agencyId, home.id)
    return home
  }
}

function isReadable(row: WorkspaceInfo | null, principal: Principal): row is WorkspaceInfo {
  const isChosen = !principal.workspace_ids || principal.workspace_ids.includes(row?.id ?? '')
  return row !== null && isChosen && (principal.platform || row.agency_id === principal.agency_id)
}

/** Frozen here, so that contexts need no copy. */
const infoOf = ({ id, agency_id, timezone, is_home, redact_pii = false }: WorkspaceInfo): WorkspaceInfo =>
  Object.freeze({ id, agency_id, timezone, is_home, redact_pii })

/** Headers have only plain letters, so other letters of a name are percent-encoded. */
function decoded(header: string): string {
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}

function readable(row: WorkspaceInfo | null, principal: Principal): WorkspaceInfo {
  if (isReadable(row, principal)) return infoOf(row)
  throw new Refusal('workspace_not_readable', 'This credential cannot read the workspace.', {
    hint: 'GET /api/entities/Workspace lists the workspaces that this credential can read.',
  })
}

/** Throws if the credential lacks the scope that the operation needs. */
export function authorizeScope(operation: AnyOperation, { scopes }: Principal): void {
  const scope = scopeOf(operation)
  if (!scopes.includes(scope)) throw insufficient(operation.name, scope)
}

/**
 * Throws when a credential cannot call an operation from a workspace: checks the scopes, then the agency. Runs before
 * any row is read.
 */
export function authorizeOperation(
  operation: AnyOperation,
  principal: Principal,
  workspace: WorkspaceInfo,
): void {
  authorizeScope(operation, principal)
  if (workspace.agency_id !== principal.agency_id && operation.crossAgency !== 'allowed') {
    throw new Refusal(
      'cross_agency_refused',
      `${operation.name} can be called only in the credential's own agency.`,
    )
  }
}

/** Throws if the credential lacks the scope `read`. */
export function authorizeRead(entity: AnyEntity, principal: Principal): void {
  if (principal.scopes.includes('read')) return
  throw insufficient(`Reading ${entity.name}`, 'read')
}

/**
 * Names every needed scope, because an app that asks for only the missing one would lose what it has. `write`
 * includes `read`.
 */
export const insufficient = (what: string, scope: 'read' | 'write') =>
  new Refusal('insufficient_scope', `${what} needs the scope "${scope}".`, {
    hint: 'Connect the app again, and allow it.',
    extra: { error: 'insufficient_scope', scope: scope === 'write' ? 'read write' : 'read' },
  })
