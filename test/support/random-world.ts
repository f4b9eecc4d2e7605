import fc from 'fast-check'
import type { AnyEntity } from 'renown'
import { agentKeys } from '../../core/auth/agent-keys'
import type { ColumnsStore } from '../../core/stores/columns/port'
import { Agency } from '../../core/tenancy/Agency'
import { Workspace } from '../../core/tenancy/Workspace'
import { appToken } from './app-token'
import type { Gate } from './harness'
import { plantable, plantRow } from './proof-world'

/** Some agencies with workspaces, and what became of the credentials that were made for each. */
export const agencyPlans = fc.array(
  fc.record({
    isPlatform: fc.boolean(),
    isActive: fc.constantFrom(true, true, true, false),
    workspaces: fc.integer({ min: 1, max: 3 }),
    keys: fc.constantFrom<KeyState[]>(['live'], ['live'], ['revoked'], ['replaced', 'live']),
    apps: fc.array(
      fc.record({
        isReadOnly: fc.boolean(),
        /** How many of the agency's workspaces were chosen, from the last; all of them, and those to come, where null. */
        chosen: fc.option(fc.integer({ min: 1, max: 3 })),
        state: fc.constantFrom<AppState>('live', 'live', 'disconnected', 'elsewhere', 'unmanned', 'ended'),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  }),
  { minLength: 2, maxLength: 4 },
)
type KeyState = 'live' | 'revoked' | 'replaced'
/** `elsewhere`: of another host. `unmanned`: whoever consented has left. `ended`: the access token's time is over. */
type AppState = 'live' | 'disconnected' | 'elsewhere' | 'unmanned' | 'ended'
type AgencyPlan = typeof agencyPlans extends fc.Arbitrary<(infer Plan)[]> ? Plan : never

/** A credential and what it must be able to do, told without a look at the product. */
export interface ExpectedCredential {
  readonly what: string
  readonly token: string
  readonly isLive: boolean
  readonly agencyId: string
  readonly isPlatform: boolean
  readonly scopes: readonly ('read' | 'write')[]
  /** Where it reads; the platform's in everybody's. */
  readonly readable: readonly string[]
  readonly home: string
}

export interface ExistingRow {
  readonly entity: AnyEntity
  readonly id: string
  readonly workspaceId: string
}

export interface RandomWorld {
  readonly workspaces: readonly { readonly id: string; readonly agencyId: string }[]
  readonly credentials: readonly ExpectedCredential[]
  readonly rows: readonly ExistingRow[]
}

/** Makes the agencies and plants a row of every record type into each workspace. */
export async function makeWorld(
  gate: Gate,
  columns: ColumnsStore,
  plans: readonly AgencyPlan[],
): Promise<RandomWorld> {
  const agencies = await Promise.all(plans.map((plan) => makeAgency(gate, plan)))
  const workspaces = agencies.flatMap(({ id, workspaces }) =>
    workspaces.map((workspace) => ({ id: workspace, agencyId: id })),
  )
  const all = workspaces.map(({ id }) => id)
  const credentials: ExpectedCredential[] = []
  for (const [place, agency] of agencies.entries()) {
    const { isPlatform, isActive, keys, apps } = plans[place] as AgencyPlan
    const whose = `${isActive ? '' : 'inactive '}${isPlatform ? 'platform' : 'agency'} ${place}`
    const common = { agencyId: agency.id, isPlatform, home: agency.workspaces[0] ?? '' }
    const readable = isPlatform ? all : agency.workspaces
    for (const { token, state } of await makeKeys(gate, agency.id, keys)) {
      credentials.push({
        ...common,
        what: `the ${state} key of ${whose}`,
        token,
        isLive: state === 'live' && isActive,
        scopes: ['read', 'write'],
        readable,
      })
    }
    for (const app of apps) {
      const chosen = app.chosen === null ? undefined : agency.workspaces.slice(-app.chosen)
      const scopes = app.isReadOnly ? (['read'] as const) : (['read', 'write'] as const)
      credentials.push({
        ...common,
        what: `a token (${scopes}) of ${whose}, ${app.state}, for ${chosen ?? 'all'}`,
        token: await makeToken(gate, agency.id, scopes, chosen, app.state),
        isLive: app.state === 'live' && isActive,
        scopes,
        readable: chosen ?? readable,
        home: chosen && !chosen.includes(common.home) ? (chosen[0] ?? '') : common.home,
      })
    }
  }
  const rows: ExistingRow[] = []
  for (const entity of plantable(gate)) {
    for (const { id: workspaceId } of workspaces) {
      const { id } = await plantRow(gate, columns, entity, `mark-${workspaceId}-`, workspaceId)
      rows.push({ entity, id, workspaceId })
    }
  }
  return { workspaces, credentials, rows }
}

async function makeAgency({ owner }: Gate, { isPlatform, isActive, workspaces: count }: AgencyPlan) {
  const id = owner.newId(Agency)
  await owner.rows(Agency).insert({
    id,
    workspace_id: id,
    name: 'Agency',
    is_platform: isPlatform,
    is_active: isActive,
  })
  const workspaces: string[] = []
  for (let place = 0; place < count; place++) {
    const workspace = owner.newId(Workspace)
    await owner.rows(Workspace).insert({
      id: workspace,
      workspace_id: workspace,
      name: `mark-${workspace}-`,
      agency_id: id,
      is_home: place === 0,
      timezone: 'UTC',
      locale: 'en',
      plan: 'standard',
      locations_count: 0,
      active_locations_count: 0,
      is_active: true,
    })
    workspaces.push(workspace)
  }
  return { id, workspaces }
}

/** Each key is used before it is ended, so that what was remembered of it must be forgotten. */
async function makeKeys({ documents, clock, ask }: Gate, agencyId: string, states: readonly KeyState[]) {
  const keys = agentKeys({ documents, clock })
  const made: { token: string; state: KeyState }[] = []
  for (const state of states) {
    const { token } = await keys.rotate(agencyId)
    await ask('/api/surface', { key: token })
    if (state === 'revoked') await keys.revoke(agencyId)
    made.push({ token, state })
  }
  return made
}

/** Each token is used before it is ended, as each key is. */
async function makeToken(
  gate: Gate,
  agencyId: string,
  scopes: readonly ('read' | 'write')[],
  chosen: readonly string[] | undefined,
  state: AppState,
): Promise<string> {
  const app = await appToken(gate, agencyId, {
    scopes,
    ...(chosen ? { workspaces: chosen } : {}),
    ...(state === 'elsewhere' ? { host: 'http://127.0.0.1:3000' } : {}),
    ...(state === 'ended' ? { minutes: 0 } : {}),
  })
  await gate.ask('/api/surface', { key: app.token })
  if (state === 'disconnected') await app.disconnect()
  if (state === 'unmanned') await app.dismissPerson()
  return app.token
}
