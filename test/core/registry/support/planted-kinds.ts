import {
  defineCommand,
  defineEntity,
  defineEvent,
  defineExtensionPoint,
  defineOperation,
  definePlugin,
  defineSettings,
  type Extension,
  foreignEntity,
  type PluginDeclaration,
  type PluginKinds,
  setting,
  settingForm,
} from 'renown'
import { defineAction, definePage } from 'renown/pages'
import { defineConnection } from 'renown/sources'
import * as v from 'valibot'
import type { Gives, Rule } from '../../../../core/registry/kind'
import { kinds } from '../../../../core/registry/kinds'

/** The record type of the plugin that is robbed. It hides `token`. */
export const Vault = defineEntity({
  name: 'Vault',
  summary: 'Holds a secret',
  idPrefix: 'vau',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  fields: { title: v.string(), token: v.optional(v.string()) },
  hidden: ['token'],
  sealed: ['token'],
  sortable: [],
})
/** The record type of the planted plugin. */
export const Own = defineEntity({ ...Vault, name: 'Own', idPrefix: 'own' })

const word = setting(settingForm.text, 'none', 'For the test')
/** The settings of the plugin that is robbed. It shares the second. */
export const vaultSettings = defineSettings({ VAULT_KEY: word, VAULT_PACE: word }, { shared: ['VAULT_PACE'] })
/** The settings of the planted plugin. */
export const ownSettings = defineSettings({ OWN_KEY: word })

/** Declares how accounts of a provider are connected. */
export const connectionOf = (provider: string) =>
  defineConnection({
    provider,
    label: provider,
    order: 900,
    account: { one: 'Account', many: 'Accounts' },
    tokenFile: {
      kind: 'access',
      called: 'a token',
      accountId: 'an id',
      refusal: () => undefined,
    },
    consent: {
      needs: [],
      about: 'About',
      setup: 'Set up',
      redirectHint: 'Hint',
      connected: 'Connected',
      address: () => '',
      exchange: async () => ({ accounts: [] }),
      choice: { list: async () => [], declined: async () => null, permissions: [], emptyHint: 'None' },
    },
    renew: async () => ({ accessToken: '', livesMs: 1 }),
    locations: async () => ({ locations: [], elsewhere: 0 }),
    limits: () => [],
  })

/** What an implementation is asked to do. */
export interface Reader extends Extension {
  read(ctx: object): unknown
  readonly parts?: { read(ctx: object): unknown }
}
/** The extension point of the plugin that is robbed. */
export const reader = defineExtensionPoint<Reader>({
  id: 'vault.reader',
  summary: 'Reads',
  shape: { read: v.function() },
})

/** The plugin that is robbed. */
export const vault = definePlugin({
  name: 'vault',
  renown: '^1.0.0',
  entities: [Vault],
  extensionPoints: [reader],
  settings: vaultSettings,
  connections: [connectionOf('vault')],
  tables: [{ name: 'vault', columns: { a: 'String' }, engine: 'MergeTree', orderBy: ['a'] }],
})

const nothing = v.strictObject({})
const Page = new URL('./none.tsx', import.meta.url)
const none = async () => null

/**
 * A declaration of each kind with every function that a kind can have. The compiler refuses a kind without one, and the
 * test refuses a function of the table that is missing here.
 */
export const samples: PluginKinds = {
  entities: [Own],
  operations: [
    defineOperation({
      name: 'tryIt',
      summary: 'Tries',
      class: 'setup',
      crossAgency: 'own',
      input: nothing,
      output: v.object({}),
      run: async () => ({}),
      shorten: () => null,
      inside: () => null,
    }),
  ],
  // Neither naming an entity as foreign nor copying its declaration makes it one's own.
  reads: [foreignEntity('Vault', { title: v.string() })],
  commands: [
    defineCommand({
      name: 'thing test',
      summary: 'Tries',
      input: nothing,
      run: async () => ({}),
      faultsIn: () => [],
      isBad: () => false,
      proposal: {
        label: 'Try',
        takes: [],
        prepare: async () => ({
          input: {},
          basis: '',
          record: { entity: 'Own', id: 'own_1' },
          title: '',
          effect: '',
          href: '/app/try',
        }),
        run: async () => {},
        outcome: async () => ({ state: 'done' }),
      },
    }),
  ],
  prompts: [{ name: 'try_it', summary: 'Tries', text: () => '' }],
  jobs: { try: { summary: 'Tries', everyMs: 1, run: async () => {} } },
  queues: { try: { summary: 'Tries', payload: nothing, run: async () => {}, onDeadLetter: async () => {} } },
  feeds: { try: { summary: 'Tries', run: none } },
  receivers: { try: { summary: 'Tries', find: none, receive: async () => ({}) } },
  publicPages: {
    try: {
      summary: 'Tries',
      find: none,
      page: {
        module: Page,
        title: 'Try',
        load: none,
        headOf: () => ({}),
        submit: { input: nothing, run: async () => {} },
      },
      files: { 'try.xml': { type: 'text/xml', load: async () => ({ body: '', changed_at: '' }) } },
      uploads: { type: 'text/plain', load: none },
    },
  },
  pages: [
    definePage({
      path: '/app/try',
      title: 'Try',
      module: Page,
      load: none,
      isFor: () => true,
      titleOf: () => 'Try',
      headOf: () => ({}),
      download: async () => ({ name: 'try', columns: [], rows: [] }) as never,
      nav: { label: 'Try', order: 900, count: none },
      files: {
        'try.md': { type: 'text/markdown', load: async () => ({ bytes: new Uint8Array(), filename: 'a' }) },
      },
      submit: defineAction({ input: nothing, auth: 'session', faultsIn: () => [], run: async () => {} }),
      actions: {
        try: defineAction({ input: nothing, auth: 'session', faultsIn: () => [], run: async () => {} }),
      },
      events: {
        async *try() {
          yield null
        },
      },
    }),
  ],
  settings: ownSettings,
  extensionPoints: [defineExtensionPoint<Extension>({ id: 'own.point', summary: 'Own', shape: {} })],
  provides: [reader.with({ name: 'try', read: none })],
  connections: [connectionOf('own')],
  tables: [{ name: 'own', columns: { a: 'String' }, engine: 'MergeTree', orderBy: ['a'] }],
  events: [defineEvent({ name: 'own.tried', summary: 'Somebody tried.', data: nothing, example: {} })],
  subscribers: { 'own.tried': async () => {} },
  migrations: [{ version: 1, summary: 'Tries', up: async () => {} }],
  demo: { rows: () => [], events: () => [], proposals: () => [], remove: async () => {} },
}

/** A function of the table: where it is, and the context that it gets. */
export interface Planted {
  readonly name: string
  readonly gives: Gives
  /** Keys that lead to it, from the plugin. `*` stands for the first of several. */
  readonly path: readonly string[]
}

/** Every function that the rows of the table list. */
export const plantedFunctions: readonly Planted[] = Object.entries(kinds).flatMap(
  ([key, { contexts, holds }]) => listedIn(contexts, holds === 'one' ? [key] : [key, '*']),
)

function listedIn(rules: object, path: readonly string[]): Planted[] {
  if ('gives' in rules) return [{ name: path.join('.'), gives: (rules as Rule).gives, path }]
  return Object.entries(rules).flatMap(([key, inner]) =>
    listedIn(inner as object, [...path, key === 'each' ? '*' : key]),
  )
}

/** What is planted in a function: it gets what the product hands to it. */
export type Attempt = (...given: readonly never[]) => unknown

/** Returns a plugin with every kind of declaration, whose function at a path is the attempt. */
export const plant = (path: readonly string[], attempt: Attempt): PluginDeclaration => ({
  name: 'stranger',
  renown: '^1.0.0',
  ...((path.length === 0 ? samples : replaced(samples, path, attempt)) as PluginKinds),
})

/** Returns the function at a path of a plugin, and what holds it. */
export function functionAt(plugin: object, path: readonly string[]): { holder: object; run: Attempt } {
  let holder: object = plugin
  let at: unknown = plugin
  for (const key of path) {
    holder = at as object
    at = Reflect.get(holder, keyIn(holder, key))
  }
  if (typeof at !== 'function') throw new Error(`No sample has a function at ${path.join('.')}`)
  return { holder, run: at as Attempt }
}

const keyIn = (holder: object, key: string) => (key === '*' ? (Object.keys(holder)[0] ?? key) : key)

function replaced(value: unknown, [first, ...rest]: readonly string[], attempt: Attempt): unknown {
  if (first === undefined) {
    if (typeof value === 'function') return attempt
    // An implementation of an extension point: all its functions.
    return { ...(value as Reader), read: attempt }
  }
  if (typeof value !== 'object' || value === null) throw new Error(`No sample has a part ${first}`)
  const key = keyIn(value, first)
  const inner = replaced(Reflect.get(value, key), rest, attempt)
  if (!Array.isArray(value)) return { ...value, [key]: inner }
  return value.map((one, at) => (String(at) === key ? inner : one))
}

/**
 * Returns where functions are in a declaration, as the table writes it. What core or valibot made is left out: schemas and
 * extension points. Implementations have functions of their own.
 */
export function functionsOf(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'function') return [path.join('.')]
  if (typeof value !== 'object' || value === null || Reflect.get(value, 'kind') === 'schema') return []
  if (path[0] === 'provides') return []
  const isMap = Array.isArray(value) || maps.includes(path.join('.'))
  return Object.entries(value).flatMap(([key, inner]) => functionsOf(inner, [...path, isMap ? '*' : key]))
}

/** Where keys of a declaration are names. */
const maps: readonly string[] = [
  'jobs',
  'queues',
  'feeds',
  'receivers',
  'publicPages',
  'publicPages.*.files',
  'subscribers',
  'pages.*.files',
  'pages.*.actions',
  'pages.*.events',
]
