import { describe, expect, test } from 'bun:test'
import {
  defineAction,
  defineAppPage,
  defineCommand,
  defineConnection,
  defineEntity,
  defineExtensionPoint,
  definePlugin,
  defineSettings,
  type Extension,
  foreignEntity,
  type PublicViewDeclaration,
  setting,
  settingForm,
} from 'renown'
import * as v from 'valibot'
import { ownerContext } from '../../../core/contexts/owner'
import type { Columns, OwnerContext, PluginDeclaration } from '../../../core/contracts/plugin'
import type { ConnectionInfo, Connections } from '../../../core/contracts/upkeep'
import { closedOutbound } from '../../../core/outbound/closed'
import { createSecrets } from '../../../core/outbound/secrets'
import { createRegistry } from '../../../core/registry/registry'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { part } from '../../support/part'
import { quietLog as log } from '../../support/quiet-log'

const vaultFields = { title: v.string(), token: v.optional(v.string()) }
const Vault = defineEntity({
  name: 'Vault',
  summary: 'Holds a secret',
  idPrefix: 'vau',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  fields: vaultFields,
  hidden: ['token'],
  sortable: [],
})
const Own = defineEntity({
  ...Vault,
  name: 'Own',
  idPrefix: 'own',
  fields: { title: v.string(), token: v.optional(v.string()) },
})
interface Reader extends Extension {
  read(ctx: OwnerContext): unknown
  readonly parts?: { read(ctx: OwnerContext): unknown }
}
class ClassReader implements Reader {
  readonly name = 'try'
  readonly #attempt: (ctx: OwnerContext) => unknown
  constructor(attempt: (ctx: OwnerContext) => unknown) {
    this.#attempt = attempt
  }
  read(ctx: OwnerContext) {
    return this.#attempt(ctx)
  }
}
const publicTry = (more: Partial<PublicViewDeclaration<unknown>>) => ({
  summary: 'Tries',
  find: async () => null,
  page: { module: Page, title: 'Try', load: async () => null, ...more },
})
const reader = defineExtensionPoint<Reader>({
  id: 'vault.reader',
  summary: 'Reads',
  shape: { read: v.function() },
})
const word = setting(settingForm.text, 'none', 'For the test')
const vaultSettings = defineSettings({ VAULT_KEY: word, VAULT_PACE: word }, { shared: ['VAULT_PACE'] })
const ownSettings = defineSettings({ OWN_KEY: word })
const connectionOf = (provider: string) =>
  defineConnection({
    provider,
    label: provider,
    order: 900,
    account: { one: 'Account', many: 'Accounts' },
    tokenFile: { kind: 'access', called: 'a token', accountId: 'an id' },
    locations: async () => ({ locations: [], elsewhere: 0 }),
  })
const rowOf = (id: string): ConnectionInfo => ({
  id,
  workspace_id: 'wsp_1',
  provider: id.slice(4),
  account_id: 'a',
  state: 'connected',
})
const standIn: Connections = {
  get: async (id) => rowOf(id),
  list: async ({ provider }) => [rowOf(`con_${provider}`)],
  token: async (id) => `token of ${id}`,
  fail: async () => {},
  works: async () => {},
}
/** Says what the parser says of a query of one table. */
const parsing: Columns = {
  query: async <T>(sql: string) =>
    (sql.includes('EXPLAIN')
      ? [{ explain: 'SelectWithUnionQuery (children 1)' }, { explain: '      TableIdentifier vault' }]
      : [{ name: 'vault' }]) as T[],
  insert: async () => {},
  remove: async () => {},
}

/** Opens its own secret, and hands its own context to whoever extends it. */
const vault = definePlugin({
  name: 'vault',
  renown: '^1.0.0',
  entities: [Vault],
  extensionPoints: [reader],
  settings: vaultSettings,
  connections: [connectionOf('vault')],
  commands: [
    defineCommand({
      name: 'read',
      summary: 'Reads',
      input: v.strictObject({}),
      run: async (ctx) => {
        if (ctx.outbound.secrets.open(sealed, place) !== 'their token') throw new Error('its own secret')
        for (const one of ctx.extensions(reader)) {
          one.read(ctx)
          one.parts?.read({ ...ctx })
        }
        return {}
      },
    }),
  ],
})
const place = { entity: 'Vault', workspace_id: 'wsp_1', id: 'vau_1', field: 'token' }

const secrets = createSecrets({ keys: [`k:${'k'.repeat(42)}A`], folder: null })
const sealed = secrets.seal('their token', place)

/** What a stranger's code tries with the context that it is handed. */
type Attempt = (ctx: OwnerContext) => unknown
const Page = new URL('./none.tsx', import.meta.url)
const nothing = v.strictObject({})

/** The ways by which a plugin gets a system context, each run as the product runs it. */
const ways: readonly [string, (attempt: Attempt) => Partial<PluginDeclaration>, Run][] = [
  [
    'a command',
    (attempt) => ({
      commands: [
        defineCommand({
          name: 'try',
          summary: 'Tries',
          input: nothing,
          run: async (ctx) => ({ got: attempt(ctx) }),
        }),
      ],
    }),
    ({ commands }, ctx) => commands.get('try')?.run(ctx, {}),
  ],
  [
    'a job',
    (attempt) => ({ jobs: { try: { summary: 'Tries', everyMs: 1, run: async (ctx) => void attempt(ctx) } } }),
    ({ jobs }, ctx) => jobs.get('try')?.run(ctx, new AbortController().signal),
  ],
  [
    'a queue',
    (attempt) => ({
      queues: { try: { summary: 'Tries', payload: nothing, run: async (ctx) => void attempt(ctx) } },
    }),
    ({ queues }, ctx) => queues.get('try')?.run(ctx, {}, part({})),
  ],
  [
    'the end of a job that failed',
    (attempt) => ({
      queues: {
        try: {
          summary: 'Tries',
          payload: nothing,
          run: async () => {},
          onDeadLetter: async (ctx) => void attempt(ctx),
        },
      },
    }),
    ({ queues }, ctx) => queues.get('try')?.onDeadLetter?.(ctx, {}, part({}), part({})),
  ],
  [
    'a feed',
    (attempt) => ({ feeds: { try: { summary: 'Tries', run: async (ctx) => attempt(ctx) } } }),
    ({ feeds }, ctx) => feeds.get('try')?.run(ctx, undefined, 'own'),
  ],
  [
    'a receiver',
    (attempt) => ({
      receivers: {
        try: { summary: 'Tries', find: async () => null, receive: async (ctx) => ({ got: attempt(ctx) }) },
      },
    }),
    ({ receivers }, ctx) =>
      receivers.get('try')?.receive(ctx, { id: 'x', workspace_id: 'wsp_1', secrets: [] }, {}),
  ],
  [
    'a receiver that looks up a token',
    (attempt) => ({
      receivers: {
        try: { summary: 'Tries', find: async (ctx) => attempt(ctx) as never, receive: async () => ({}) },
      },
    }),
    ({ receivers }, ctx) => receivers.get('try')?.find(ctx, ''),
  ],
  [
    'a public page that looks up a token',
    (attempt) => ({
      publicPages: { try: { summary: 'Tries', find: async (ctx) => attempt(ctx) as never, files: {} } },
    }),
    ({ publicPages }, ctx) => publicPages.get('try')?.find?.(ctx, { text: '', hash: '' }),
  ],
  [
    'a public page that loads',
    (attempt) => ({
      publicPages: { try: publicTry({ load: async (ctx) => attempt(ctx) }) },
    }),
    ({ publicPages }, ctx) =>
      publicPages.get('try')?.page?.load(ctx, { id: 'x', workspace_id: 'wsp_1' }, { origin: '', url: '' }),
  ],
  [
    'a form of a public page',
    (attempt) => ({
      publicPages: {
        try: publicTry({ submit: { input: nothing, run: async (ctx) => void attempt(ctx) } }),
      },
    }),
    ({ publicPages }, ctx) =>
      publicPages.get('try')?.page?.submit?.run(ctx, { id: 'x', workspace_id: 'wsp_1' }, {}),
  ],
  [
    'a public file',
    (attempt) => ({
      publicPages: {
        try: {
          summary: 'Tries',
          find: async () => null,
          files: { 'try.xml': { type: 'text/xml', load: async (ctx) => attempt(ctx) as never } },
        },
      },
    }),
    ({ publicPages }, ctx) =>
      publicPages
        .get('try')
        ?.files?.['try.xml']?.load(ctx, { id: 'x', workspace_id: 'wsp_1' }, { origin: '', url: '' }),
  ],
  [
    'a migration',
    (attempt) => ({
      migrations: [{ version: 1, summary: 'Tries', up: async (ctx) => void attempt(ctx) }],
    }),
    ({ migrations }, ctx) => migrations[0]?.up(ctx),
  ],
  [
    'a form of a page',
    (attempt) => ({
      pages: [
        defineAppPage({
          path: '/app/try',
          title: 'Try',
          module: Page,
          load: async () => null,
          actions: {
            try: defineAction({
              input: nothing,
              auth: 'session',
              run: async (ctx) => void attempt(ctx.owner),
            }),
          },
        }),
      ],
    }),
    ({ pages }, owner) => pages.get('/app/try')?.actions?.try?.run(part({ owner }), {}),
  ],
  [
    'an implementation of an extension point',
    (attempt) => ({ provides: [reader.with({ name: 'try', read: attempt })] }),
    async ({ commands, extensions }, ctx) => commands.get('read')?.run({ ...ctx, extensions }, {}),
  ],
  [
    'a part of such an implementation',
    (attempt) => ({ provides: [reader.with({ name: 'try', read: () => null, parts: { read: attempt } })] }),
    async ({ commands, extensions }, ctx) => commands.get('read')?.run({ ...ctx, extensions }, {}),
  ],
  [
    'an implementation that is a class',
    (attempt) => ({ provides: [reader.with(new ClassReader(attempt))] }),
    async ({ commands, extensions }, ctx) => commands.get('read')?.run({ ...ctx, extensions }, {}),
  ],
  [
    'a reaction',
    (attempt) => ({ subscribers: { accountReady: async (ctx) => void attempt(ctx) } }),
    ({ plugins }, ctx) => plugins.get('stranger')?.subscribers?.accountReady?.(ctx, part({})),
  ],
]
type Run = (registry: ReturnType<typeof createRegistry>, ctx: OwnerContext) => Promise<unknown> | undefined

/** Runs an attempt of a stranger's plugin; returns what it got, or what it was told. */
async function attemptBy([, declare, run]: (typeof ways)[number], attempt: Attempt): Promise<unknown> {
  let got: unknown = 'not run'
  const recorded: Attempt = (ctx) => {
    try {
      got = attempt(ctx)
    } catch (error) {
      got = (error as Error).message
    }
  }
  const stranger = definePlugin({
    name: 'stranger',
    renown: '^1.0.0',
    entities: [Own],
    settings: ownSettings,
    connections: [connectionOf('own')],
    // Neither naming an entity as foreign nor copying its declaration makes it one's own.
    reads: [foreignEntity('Vault', { title: v.string() })],
    ...declare(recorded),
  })
  const registry = createRegistry([vault, stranger])
  const clock = { now: () => new Date() }
  const documents = await openSqlite({ path: ':memory:', now: clock.now, log })
  try {
    const outbound = { ...closedOutbound, secrets, connections: standIn }
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
    } as never
    const owner = ownerContext({
      registry,
      documents,
      columns: parsing as never,
      clock,
      log,
      outbound,
      settings,
      onChanged: () => {},
    })
    await run(registry, owner)
    return got
  } finally {
    await documents.close()
  }
}

describe.each(ways)('a plugin, by way of %s,', (...way) => {
  const attempt = (what: Attempt) => attemptBy(way, what)

  test('cannot open or seal a secret of another plugin', async () => {
    const refusal =
      'The plugin stranger cannot use secrets of Vault, because it does not declare that record type.'
    expect(await attempt((ctx) => ctx.outbound.secrets.open(sealed, place))).toStartWith(refusal)
    expect(await attempt((ctx) => ctx.outbound.secrets.seal('mine', place))).toStartWith(refusal)
    const unknown = { ...place, entity: 'Nobody' }
    expect(await attempt((ctx) => ctx.outbound.secrets.open(sealed, unknown))).toContain('Nobody')
  })

  test('opens what it sealed for a field of its own, and for no field that it lacks', async () => {
    const own = { ...place, entity: 'Own' }
    const both: Attempt = ({ outbound }) => outbound.secrets.open(outbound.secrets.seal('mine', own), own)
    expect(await attempt(both)).toBe('mine')
    const odd: Attempt = ({ outbound }) => outbound.secrets.seal('mine', { ...own, field: 'tokne' })
    expect(await attempt(odd)).toBe(
      'The plugin stranger cannot use the secret Own.tokne: that field does not exist.',
    )
  })

  test('is not handed the key that seals, nor those of the stores and of the internal feeds', async () => {
    expect(await attempt((ctx) => ctx.settings)).toEqual({
      SECRETS_KEY: [],
      MONGODB_URI: '',
      CLICKHOUSE_URL: '',
      RENOWN_INGEST_SECRET: '',
      AUDIT_KEPT_DAYS: 400,
      LLM_API_KEY: '',
      METRICS_TOKEN: '',
      SMTP_URL: '',
      VAULT_PACE: '7',
      OWN_KEY: 'mine',
    })
  })

  test('reads its own settings and those that another plugin shares, and no others, typed or not', async () => {
    expect(await attempt((ctx) => ownSettings.of(ctx).OWN_KEY)).toBe('mine')
    expect(await attempt((ctx) => Reflect.get(ctx.settings, 'VAULT_KEY'))).toBeUndefined()
    expect(await attempt((ctx) => vaultSettings.of(ctx).VAULT_KEY)).toContain('VAULT_KEY was not read')
  })

  test('uses connections of its own providers alone', async () => {
    const connections = (use: (all: Connections) => Promise<unknown>) =>
      attempt((ctx) => use(ctx.outbound.connections).catch((error: Error) => error.message))
    const refused = expect.stringContaining('The plugin stranger cannot use this connection')
    expect(await connections((all) => all.token('con_vault'))).toEqual(refused)
    expect(await connections((all) => all.fail('con_vault', 'broken', 'x'))).toEqual(refused)
    expect(await connections((all) => all.works('con_vault'))).toEqual(refused)
    expect(await connections((all) => all.get('con_vault'))).toBeNull()
    expect(await connections((all) => all.list({ workspace_id: 'wsp_1', provider: 'vault' }))).toEqual([])
    expect(await connections((all) => all.token('con_own'))).toBe('token of con_own')
    expect(await connections((all) => all.list({ workspace_id: 'wsp_1', provider: 'own' }))).toHaveLength(1)
  })

  test('writes and reads its own tables alone', async () => {
    const columns = (use: (all: Columns) => Promise<unknown>) =>
      attempt((ctx) => use(ctx.columns).catch((error: Error) => error.message))
    const refused = expect.stringContaining('The plugin stranger cannot use the table vault')
    expect(await columns((all) => all.insert('vault', ['a'], [['x']]))).toEqual(refused)
    expect(await columns((all) => all.remove('vault', 'a', ['x']))).toEqual(refused)
    expect(await columns((all) => all.query('SELECT * FROM vault'))).toEqual(refused)
  })

  test('cannot read, filter or write by a copied declaration what the owner hides', async () => {
    const copy = { ...Vault }
    expect(await attempt((ctx) => ctx.rows(copy))).toBe('reads Vault.token, which its plugin keeps to itself')
    const narrow = defineEntity({
      name: 'Vault',
      summary: 'A copy',
      idPrefix: 'vau',
      store: 'documents',
      reads: [],
      sortable: [],
      scope: { by: 'workspace', field: 'workspace_id' },
      fields: { title: v.string() },
    })
    const refused = 'Vault belongs to another plugin and cannot be written from here'
    expect(await attempt((ctx) => ctx.rows(narrow).removeWhere({ op: 'and', of: [] }))).toBe(refused)
  })
})

test('a plugin that names a hidden field of another one is refused at the start', () => {
  const reads = [foreignEntity('Vault', { token: v.string() })]
  const thief = definePlugin({ name: 'thief', renown: '^1.0.0', reads })
  expect(() => createRegistry([vault, thief])).toThrow(
    'thief: reads Vault.token, which its plugin keeps to itself',
  )
  const open = definePlugin({ ...vault, entities: [{ ...Vault, readableByPlugins: ['token'] }] })
  expect(createRegistry([open, thief]).plugins.has('thief')).toBe(true)
})

test('a job of a queue, a form and a reaction use connections of their own workspace alone', async () => {
  const got: unknown[] = []
  const use = async ({ outbound: { connections } }: OwnerContext) => {
    const wanted = (workspace_id: string) => ({ workspace_id, provider: 'own' })
    got.push(await connections.list(wanted('wsp_1')).then((list) => list.length))
    got.push(await connections.token('con_own').catch((error: Error) => error.message))
  }
  const stranger = definePlugin({
    name: 'stranger',
    renown: '^1.0.0',
    settings: ownSettings,
    connections: [connectionOf('own')],
    queues: { try: { summary: 'Tries', payload: nothing, run: use } },
    subscribers: { accountReady: use },
  })
  const { queues, plugins } = createRegistry([stranger])
  const ctx = { outbound: { ...closedOutbound, secrets, connections: standIn } } as unknown as OwnerContext
  for (const workspace_id of ['wsp_1', 'wsp_2']) {
    await queues.get('try')?.run(ctx, {}, part({ workspace_id }))
    await plugins.get('stranger')?.subscribers?.accountReady?.(ctx, part({ workspace_id }))
  }
  const refused = expect.stringContaining('another workspace')
  const own = [1, 'token of con_own']
  const foreign = [0, refused]
  expect(got).toEqual([...own, ...own, ...foreign, ...foreign])
})

test('the functions of a connection get the settings and connections of their own plugin', async () => {
  let seen: { settings?: object; token?: string } = {}
  const greedy = definePlugin({
    name: 'greedy',
    renown: '^1.0.0',
    settings: ownSettings,
    connections: [
      {
        ...connectionOf('own'),
        async locations({ settings, outbound }) {
          const token = await outbound.connections.token('con_vault').catch((error: Error) => error.message)
          seen = { settings, token }
          return { locations: [], elsewhere: 0 }
        },
      },
    ],
  })
  const { providers } = createRegistry([vault, greedy])
  const settings = { SECRETS_KEY: ['k:secret'], VAULT_KEY: 'their key', VAULT_PACE: '7', OWN_KEY: 'mine' }
  await providers.get('own')?.locations?.(part({ settings, outbound: { connections: standIn } }), part({}))
  expect(seen.settings).toMatchObject({ OWN_KEY: 'mine', VAULT_PACE: '7', SECRETS_KEY: [] })
  expect(seen.settings).not.toHaveProperty('VAULT_KEY')
  expect(seen.token).toContain('The plugin greedy cannot use this connection')
})

describe('the services that people connect', () => {
  test('are known to a plugin by their names, without the functions of the plugins that connect them', async () => {
    const seen: unknown[] = []
    const look = defineCommand({
      name: 'provider look',
      summary: 'For the test',
      input: v.strictObject({}),
      async run(ctx) {
        seen.push(...ctx.providers.values())
        return {}
      },
    })
    const plugins = [
      definePlugin({ name: 'other', renown: '^1.0.0', connections: [connectionOf('other')] }),
      definePlugin({
        name: 'curious',
        renown: '^1.0.0',
        commands: [look],
        connections: [connectionOf('own')],
      }),
    ]
    const registry = createRegistry(plugins)
    const documents = await openSqlite({ path: ':memory:', now: () => new Date(), log })
    const owner = ownerContext({
      registry,
      documents,
      columns: parsing as never,
      clock: { now: () => new Date() },
      log,
      onChanged: () => {},
    })
    await registry.commands.get('provider look')?.run(owner, {})
    expect(seen).toEqual(
      ['other', 'own'].map((provider) => ({
        provider,
        label: provider,
        order: 900,
        account: { one: 'Account', many: 'Accounts' },
      })),
    )
    expect(() => Object.assign(seen[0] as object, { label: 'Mine' })).toThrow()
    await documents.close()
  })
})
