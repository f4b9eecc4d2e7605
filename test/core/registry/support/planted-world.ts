import type { PluginDeclaration } from 'renown'
import * as v from 'valibot'
import { readContext, writeContext } from '../../../../core/contexts/context'
import { ownerContext } from '../../../../core/contexts/owner'
import { createSources } from '../../../../core/contexts/sources'
import type { ReadContext } from '../../../../core/contracts/context'
import type { Columns, OwnerContext, SystemReads } from '../../../../core/contracts/plugin'
import type { ConnectionInfo, Connections } from '../../../../core/contracts/upkeep'
import { closedOutbound } from '../../../../core/outbound/closed'
import { createSecrets } from '../../../../core/outbound/secrets'
import type { Gives } from '../../../../core/registry/kind'
import { systemReads } from '../../../../core/registry/own-context'
import { createRegistry } from '../../../../core/registry/registry'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { part } from '../../../support/part'
import { quietLog as log } from '../../../support/quiet-log'
import { Own, Vault, vaultSettings } from './planted-kinds'

/** Where the secret of the other plugin is. */
export const place = { entity: 'Vault', workspace_id: 'wsp_1', id: 'vau_1', field: 'token' }
const secrets = createSecrets({ keys: [`k:${'k'.repeat(42)}A`], folder: null })
const sealed = secrets.seal('their token', place)

const rowOf = (id: string): ConnectionInfo => ({
  id,
  workspace_id: 'wsp_1',
  provider: id.slice(4),
  account_id: 'a',
  state: 'connected',
})
const connections: Connections = {
  get: async (id) => rowOf(id),
  list: async ({ provider }) => [rowOf(`con_${provider}`)],
  token: async (id) => `token of ${id}`,
  fail: async () => {},
  works: async () => {},
}
/** Says what the parser says of a query of one table. */
const columns: Columns = {
  query: async <T>(sql: string) =>
    (sql.includes('EXPLAIN')
      ? [{ explain: 'SelectWithUnionQuery (children 1)' }, { explain: '      TableIdentifier vault' }]
      : [{ name: 'vault' }]) as T[],
  insert: async () => {},
  remove: async () => {},
}
const settings = {
  SECRETS_KEY: ['k:secret'],
  MONGODB_URI: 'mongodb://u:p@db',
  CLICKHOUSE_URL: 'https://u:p@ch',
  RENOWN_INGEST_SECRET: 'secret',
  AUDIT_KEPT_DAYS: 400,
  LLM_API_KEY: 'secret',
  METRICS_TOKEN: 'secret',
  SMTP_URL: 'smtps://u:secret@mail',
  VAULT_KEY: 'their key',
  VAULT_PACE: '7',
  OWN_KEY: 'mine',
}

/** The contexts that a function of a plugin gets, complete, as the product makes them. */
export interface Made extends Readonly<Record<Exclude<Gives, 'nothing' | 'own'>, object>> {
  readonly system: OwnerContext
  readonly page: ReadContext & { readonly system: SystemReads }
  readonly action: Made['page'] & { readonly owner: OwnerContext }
}

/** Opens a product with the plugins, and closes it after the use. */
export async function inProduct<T>(
  plugins: readonly PluginDeclaration[],
  use: (world: World) => Promise<T>,
): Promise<T> {
  const registry = createRegistry(plugins)
  const clock = { now: () => new Date() }
  const documents = await openSqlite({ path: ':memory:', now: clock.now, log })
  try {
    const outbound = { ...closedOutbound, secrets, connections }
    const system = ownerContext({
      registry,
      documents,
      columns: columns as never,
      clock,
      log,
      outbound,
      settings: settings as never,
      onChanged: () => {},
    })
    const deps = { registry, sources: createSources(documents, columns as never), now: clock.now }
    const owner = { ...system, workspaceReads: async () => readContext(deps, caller as never) }
    const workspace = { id: 'wsp_1', agency_id: 'agc_1', timezone: 'UTC', is_home: true }
    const caller = { workspace, credential: part({}), requestId: 'req_1' } as const
    const page = { ...readContext(deps, caller as never), system: systemReads(owner) }
    const writing = { ...writeContext(deps, caller as never, 'stranger', false), settings: owner.settings }
    const made = {
      system: owner,
      page,
      action: { ...page, owner },
      part: owner,
      operation: writing,
      any: owner,
    }
    return await use({ registry, made })
  } finally {
    await documents.close()
  }
}
export interface World {
  readonly registry: ReturnType<typeof createRegistry>
  readonly made: Made
}

/** A context, or one that it contains. What it lacks is not given. */
type Scope = Partial<OwnerContext & Pick<ReadContext, 'joined'>>
const scopesOf = (ctx: object): Readonly<Record<string, Scope>> => {
  const { system, owner } = ctx as { readonly system?: Scope; readonly owner?: Scope }
  return { '': ctx, ...(system && { 'system.': system }), ...(owner && { 'owner.': owner }) }
}

const copy = { ...Vault }
const narrow = { ...Vault, fields: { title: v.string() }, hidden: [] }
const foreign = 'Vault belongs to another plugin and cannot be written from here'
const notTogether = 'Vault belongs to another plugin and is not written together'
const notOwnRows =
  'The plugin stranger cannot use the declaration of Vault by vault. Name the fields that you need with `foreignEntity`.'
const notShared = 'Vault.title belongs to another plugin and is not shared'
const notOwnSecret =
  'The plugin stranger cannot use secrets of Vault, because it does not declare that record type. A plugin can use only the secrets of its own record types.'
const notOwnConnection =
  'The plugin stranger cannot use this connection: it is of another provider or another workspace.'
const notOwnTable =
  'The plugin stranger cannot use the table vault: through ctx.columns a plugin uses the tables that it declares.'

/** What is tried with each context at what belongs to the other plugin, and the words or the empty answer that it gets. */
export const attempts: Readonly<Record<string, readonly [(scope: Scope) => unknown, ...unknown[]]>> = {
  'secrets.open': [({ outbound }) => outbound?.secrets?.open(sealed, place), notOwnSecret],
  'secrets.seal': [({ outbound }) => outbound?.secrets?.seal('mine', place), notOwnSecret],
  'settings.of': [
    ({ settings: all }) => all && vaultSettings.of({ settings: all }).VAULT_KEY,
    "The setting VAULT_KEY was not read. Declare it in the plugin's `settings`",
  ],
  'settings.name': [({ settings: all }) => all && String(Reflect.get(all, 'VAULT_KEY')), 'undefined'],
  'settings.keys': [
    ({ settings: all }) =>
      all &&
      Object.values(all)
        .flat()
        .filter((value) => /secret|:p@/.test(String(value))),
    [],
  ],
  'connections.token': [({ outbound }) => outbound?.connections?.token?.('con_vault'), notOwnConnection],
  'connections.fail': [
    ({ outbound }) => outbound?.connections?.fail?.('con_vault', 'broken', 'x'),
    notOwnConnection,
  ],
  'connections.works': [({ outbound }) => outbound?.connections?.works?.('con_vault'), notOwnConnection],
  'connections.get': [({ outbound }) => outbound?.connections?.get('con_vault'), null],
  'connections.list': [
    ({ outbound }) => outbound?.connections?.list({ workspace_id: 'wsp_1', provider: 'vault' }),
    [],
  ],
  'tables.insert': [({ columns: all }) => all?.insert('vault', ['a'], [['x']]), notOwnTable],
  'tables.remove': [({ columns: all }) => all?.remove('vault', 'a', ['x']), notOwnTable],
  'tables.query': [({ columns: all }) => all?.query('SELECT * FROM vault'), notOwnTable],
  'rows.hidden': [
    ({ rows }) => rows?.(copy).list({ where: { op: 'eq', field: 'token', value: 'x' } }),
    'reads Vault.token, which its plugin keeps to itself',
  ],
  'rows.declared': [({ rows }) => rows?.(Vault).list(), notOwnRows],
  'rows.mismatches': [({ mismatches }) => mismatches?.(Vault, 1), notOwnRows],
  'rows.joined': [({ joined }) => joined?.(Own, {}, { entity: Vault, by: 'title' }), notOwnRows],
  'rows.reads': [
    async ({ workspaceReads }) => {
      if (!workspaceReads) return undefined
      return (await workspaceReads('wsp_1'))?.rows(Vault).list()
    },
    notOwnRows,
  ],
  'together.insert': [
    ({ writeTogether }) =>
      writeTogether?.((batch) => batch.insert(narrow, { title: 'Mine', workspace_id: 'wsp_1' } as never)),
    notTogether,
  ],
  'together.update': [
    ({ writeTogether }) =>
      writeTogether?.((batch) => batch.update(narrow, 'vau_1', { title: 'Mine' } as never)),
    notTogether,
  ],
  'together.declared': [
    ({ writeTogether }) => writeTogether?.((batch) => batch.update(Vault, 'vau_1', { title: 'Mine' })),
    notOwnRows,
  ],
  'rows.insert': [({ rows }) => rows?.(narrow).insert?.({ title: 'Mine' } as never), foreign],
  'rows.update': [
    ({ rows }) => rows?.(narrow).update?.('vau_1', { title: 'Mine' } as never),
    foreign,
    notShared,
  ],
  'rows.removeWhere': [({ rows }) => rows?.(narrow).removeWhere?.({ op: 'and', of: [] }), foreign],
}

/** What an attempt gets whose context gives no access. */
export const notGiven = Symbol('not given')

/** Tries everything, and returns what came of it. */
export async function tried(ctx: object): Promise<Record<string, unknown>> {
  const outcomes: Record<string, unknown> = {}
  for (const [prefix, scope] of Object.entries(scopesOf(ctx))) {
    for (const [name, [attempt]] of Object.entries(attempts)) {
      try {
        const got = await attempt(scope)
        outcomes[`${prefix}${name}`] = got ?? (got === null ? null : notGiven)
      } catch (error) {
        outcomes[`${prefix}${name}`] = (error as Error).message
      }
    }
  }
  return outcomes
}
