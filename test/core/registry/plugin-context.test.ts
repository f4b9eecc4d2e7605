import { describe, expect, test } from 'bun:test'
import {
  defineAction,
  defineAppPage,
  defineCommand,
  defineEntity,
  defineExtensionPoint,
  definePlugin,
  type Extension,
  foreignEntity,
} from 'renown'
import * as v from 'valibot'
import { ownerContext } from '../../../core/contexts/owner'
import type { OwnerContext, PluginDeclaration } from '../../../core/contracts/plugin'
import { closedOutbound } from '../../../core/outbound/closed'
import { createSecrets } from '../../../core/outbound/secrets'
import { createRegistry } from '../../../core/registry/registry'
import { openSqlite } from '../../../core/stores/documents/sqlite'
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
  ...{ ...Vault, name: 'Own', idPrefix: 'own' },
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
const reader = defineExtensionPoint<Reader>({
  id: 'vault.reader',
  summary: 'Reads',
  shape: { read: v.function() },
})
/** Opens its own secret, and hands its own context to whoever extends it. */
const vault = definePlugin({
  ...{ name: 'vault', renown: '^1.0.0', entities: [Vault], extensionPoints: [reader] },
  commands: [
    defineCommand({
      ...{ name: 'read', summary: 'Reads', input: v.strictObject({}) },
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
    ({ queues }, ctx) => queues.get('try')?.run(ctx, {}, {} as never),
  ],
  [
    'the end of a job that failed',
    (attempt) => ({
      queues: {
        try: {
          ...{ summary: 'Tries', payload: nothing, run: async () => {} },
          buried: async (ctx) => void attempt(ctx),
        },
      },
    }),
    ({ queues }, ctx) => queues.get('try')?.buried?.(ctx, {}, {} as never, {} as never),
  ],
  [
    'a feed',
    (attempt) => ({ feeds: { try: { summary: 'Tries', run: async (ctx) => attempt(ctx) } } }),
    ({ feeds }, ctx) => feeds.get('try')?.run(ctx, undefined),
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
          ...{ path: '/app/try', title: 'Try', module: Page, load: async () => null },
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
    ({ pages }, owner) => pages.get('/app/try')?.actions?.try?.run({ owner } as never, {}),
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
    (attempt) => ({ reactions: { accountReady: async (ctx) => void attempt(ctx) } }),
    ({ plugins }, ctx) => plugins.get('stranger')?.reactions?.accountReady?.(ctx, {} as never),
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
    ...{ name: 'stranger', renown: '^1.0.0', entities: [Own] },
    // Neither naming an entity as foreign nor copying its declaration makes it one's own.
    reads: [foreignEntity('Vault', { title: v.string() })],
    ...declare(recorded),
  })
  const registry = createRegistry([vault, stranger])
  const clock = { now: () => new Date() }
  const documents = await openSqlite({ path: ':memory:', now: clock.now, log })
  try {
    const outbound = { ...closedOutbound, secrets }
    const settings = {
      ...{ SECRETS_KEY: ['k:secret'], MONGODB_URI: 'mongodb://u:p@db', CLICKHOUSE_URL: 'https://u:p@ch' },
      ...{ RENOWN_INGEST_SECRET: 'secret', TRIAL_DAYS: 14 },
    } as never
    const owner = ownerContext({
      ...{ registry, documents, columns: {} as never, clock, log, outbound, settings },
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
      ...{ SECRETS_KEY: [], MONGODB_URI: '', CLICKHOUSE_URL: '', RENOWN_INGEST_SECRET: '' },
      TRIAL_DAYS: 14,
    })
  })

  test('cannot read, filter or write by a copied declaration what the owner hides', async () => {
    const copy = { ...Vault }
    expect(await attempt((ctx) => ctx.rows(copy))).toBe('reads Vault.token, which its plugin keeps to itself')
    const narrow = defineEntity({
      ...{ name: 'Vault', summary: 'A copy', idPrefix: 'vau', store: 'documents', reads: [], sortable: [] },
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
