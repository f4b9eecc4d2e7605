import { runCommand } from '../../core/contexts/run-command'
import { base32, generateHOTP } from '../../core/process/crypto'
import type { ColumnsStore } from '../../core/stores/columns/port'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { User } from '../../core/tenancy/User'
import type { Route } from '../../core/web/framework/route'
import { builtin } from '../../plugins'
import { AiTrafficSite } from '../../plugins/traffic/records/AiTrafficSite'
import { type Gate, startGate } from './harness'
import { jobs } from './platforms'
import { createVisitor, type SeenPage, type Visitor } from './visitor'

export const formPassword = 'correct horse staple'

/** A page that is open in somebody's browser. */
export interface OpenPage {
  readonly name: string
  readonly visitor: Visitor
  open(): Promise<SeenPage>
}

/** The product with one of everything, and every page of it that may show a form. */
export interface FormWorld {
  readonly gate: Gate
  readonly pages: readonly OpenPage[]
}

/** Starts the product with one of everything. Two people: one signed in, one halfway through signing in. */
export async function startFormWorld(): Promise<FormWorld> {
  const gate = await startGate({ plugins: [...builtin, jobs], columns: emptyColumns })
  const { agencyId: agency, workspaceId: workspace } = gate.tenant
  const person = { workspace_id: agency, agency_id: agency, is_active: true } as const
  await gate.owner.rows(User).insert({ ...person, role: 'owner', name: 'Ada' })
  const mo = await gate.owner
    .rows(User)
    .insert({ ...person, role: 'member', name: 'Mo', workspace_ids: [workspace] })
  const location = await gate.put(BusinessLocation, {
    business_name: 'Bakery',
    enrichment_overrides: { about: 'Bread.' },
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  await gate.put(AiTrafficSite, {
    location_id: location.id,
    domain: 'bakery.example',
    timezone: 'UTC',
    site_key: 'rnw_site_1',
    is_active: true,
    count_search_engines: false,
    respect_dnt: true,
    forwarder_token_last4: 'abcd',
    forwarder_token_hash: 'a'.repeat(64),
  })
  const owner = await signedInOwner(gate, agency, 'ada@example.com')
  await owner.open('/app/domains')
  await owner.submit('/app/domains', { domain: 'reviews.bakery.example' })
  const [domain = ''] =
    /(?<=\/app\/domains\/remove\?domain=)\w+/.exec((await owner.open('/app/domains')).html) ?? []
  const queries: Readonly<Record<string, string>> = {
    '/app/domains/remove': `?domain=${domain}`,
    '/app/install': '?sender=nginx',
    '/app/locations/one': `?location=${location.id}`,
    '/app/locations/sure': `?location=${location.id}&workspace=${workspace}&to=rest`,
    '/app/members/one': `?person=${mo.id}`,
    '/app/members/deactivate': `?person=${mo.id}`,
    '/app/clients/one': `?of=${gate.tenant.otherWorkspaceId}`,
    '/app/clients/archive': `?of=${gate.tenant.otherWorkspaceId}`,
    '/app/clients/invite': `?of=${gate.tenant.otherWorkspaceId}`,
    '/app/workspace-data/delete': `?of=${gate.tenant.otherWorkspaceId}`,
  }
  const isShown = ({ method, path, auth, forScripts }: Route) =>
    method === 'GET' && auth !== 'none' && !forScripts && !path.endsWith('/callback')
  const pages = gate.gateway.pages.filter(isShown).map(({ path }) => ({
    name: path,
    visitor: owner,
    open: () => owner.open(`${path}${queries[path] ?? ''}`),
  }))
  return { gate, pages: [...(await strangersPages(gate)), ...pages] }
}

/** Counts of nothing. */
const emptyColumns: ColumnsStore = {
  kind: 'chdb',
  query: async () => [],
  text: async () => '',
  insert: async () => {},
  remove: async () => {},
  removeWhere: async () => {},
  replace: async () => {},
  ensure: async () => {},
  declared: () => undefined,
  written: () => undefined,
  own: (table) => table,
  snapshot: async () => {},
  ping: async () => {},
  close: async () => {},
}

const visitorOf = (gate: Gate) => createVisitor((request) => gate.gateway.fetch(request, () => '203.0.113.7'))

async function linkOf(gate: Gate, agency_id: string): Promise<string> {
  const parts = { commands: gate.registry.commands, owner: gate.owner }
  const { owner_link } = await runCommand(parts, 'owner link create', { agency_id })
  return String(owner_link).replace('http://localhost:3000', '')
}

async function signedInOwner(gate: Gate, agency: string, email: string): Promise<Visitor> {
  const visitor = visitorOf(gate)
  await visitor.open(await linkOf(gate, agency))
  await visitor.submit('/app/link')
  await visitor.submit('/app/welcome', { email, password: formPassword, again: formPassword })
  return visitor
}

/** The pages of people who are not signed in yet: the password, the code, and what follows a link. */
async function strangersPages(gate: Gate): Promise<readonly OpenPage[]> {
  const { agencyId } = gate.stranger
  const person = { workspace_id: agencyId, agency_id: agencyId, role: 'owner', is_active: true } as const
  await gate.owner.rows(User).insert({ ...person, name: 'Bob' })
  const signingIn = visitorOf(gate)
  const invited = visitorOf(gate)
  await invited.open(await linkOf(gate, agencyId))
  await invited.submit('/app/link')
  const halfway = await withPasswordOnly(gate)
  const page = (path: string, visitor: Visitor): OpenPage => ({
    name: path,
    visitor,
    open: () => visitor.open(path),
  })
  return [
    page('/app/sign-in', signingIn),
    page('/app/welcome', invited),
    page('/app/sign-in/code', halfway),
    {
      name: '/app/link',
      visitor: signingIn,
      open: async () => signingIn.open(await linkOf(gate, agencyId)),
    },
  ]
}

/** Somebody with a second factor who has given the password and not the code. */
async function withPasswordOnly(gate: Gate): Promise<Visitor> {
  const { agencyId } = gate.platform
  const person = { workspace_id: agencyId, agency_id: agencyId, role: 'owner', is_active: true } as const
  await gate.owner.rows(User).insert({ ...person, name: 'Carol' })
  const carol = await signedInOwner(gate, agencyId, 'carol@example.com')
  const { html } = await carol.open('/app/account/two-step')
  const secret = (/id="secret" value="([A-Z2-7 ]+)"/.exec(html)?.[1] ?? '').replaceAll(' ', '')
  const code = await generateHOTP(base32.decode(secret), Math.floor(gate.clock.now().getTime() / 30_000))
  await carol.submit('/app/account/two-step', { code })
  const halfway = visitorOf(gate)
  await halfway.open('/app/sign-in')
  await halfway.submit('/app/sign-in', { email: 'carol@example.com', password: formPassword })
  return halfway
}
