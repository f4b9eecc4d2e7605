import type { WriteContext } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import type { AnyOperation } from '../contracts/operation'
import type { Outbound, SealedPlace, Secrets } from '../contracts/outbound'
import type { AnyAction, AnyPage } from '../contracts/page'
import type { Columns, OwnerContext, PluginDeclaration, SystemReads } from '../contracts/plugin'
import type { PublicPageDeclaration } from '../contracts/public-page'
import { settings as coreSettings, type Settings } from '../contracts/settings'
import type { Account, Connections } from '../contracts/upkeep'
import { fieldsOf } from '../kit/fields'
import { activeRows, activeWork } from './active-rows'
import { ownColumns } from './own-columns'
import { ownConnections } from './own-connections'
import { withNewNames } from './renamed'

/** A plugin with the names of settings that other plugins share. */
export type Confinable = PluginDeclaration & { readonly readableSettings?: readonly string[] }

/** Adds to each plugin the settings that the others share. */
export function withShared(all: readonly PluginDeclaration[]): readonly Confinable[] {
  const readableSettings = all.flatMap(({ settings }) => settings?.shared ?? [])
  return all.map((plugin) => ({ ...plugin, readableSettings }))
}

/**
 * Returns the plugin with a system context limited to its own rights. The registry applies it to every
 * plugin, so no job, queue, feed, command, migration, page or subscriber has the rights of another plugin.
 */
export function confined<P extends Confinable>(given: P): P {
  const plugin = withNewNames(given)
  const own = (ctx: OwnerContext, workspace?: string) => ownContext(plugin, ctx, workspace)
  const { jobs, queues, feeds, commands, migrations, pages, subscribers, connections, demo } = plugin
  const { receivers, publicPages, uploads, operations } = plugin
  return {
    ...plugin,
    ...(operations && { operations: operations.map((one) => confinedOperation(plugin, one)) }),
    ...(jobs && {
      jobs: each(jobs, (job) => ({
        ...job,
        run: (ctx, signal) => job.run(own(job.includesInactive === true ? ctx : activeRows(ctx)), signal),
      })),
    }),
    ...(queues && {
      queues: each(queues, (queue) => ({
        ...queue,
        run: (ctx, payload, task) => queue.run(own(ctx, task.workspace_id), payload, task),
        ...(queue.onDeadLetter && {
          onDeadLetter: async (ctx, payload, error, task) =>
            queue.onDeadLetter?.(own(ctx, task.workspace_id), payload, error, task),
        }),
      })),
    }),
    ...(feeds && {
      feeds: each(feeds, (feed) => ({
        ...feed,
        run: (ctx, given, reader) => feed.run(own(ctx), given, reader),
      })),
    }),
    ...(receivers && {
      receivers: each(receivers, (receiver) => ({
        ...receiver,
        find: (ctx, hash) => receiver.find(own(ctx), hash),
        receive: (ctx, address, message) =>
          receiver.receive(own(activeWork(ctx), address.workspace_id), address, message),
      })),
    }),
    ...(publicPages && { publicPages: each(publicPages, (page) => confinedPublicPage(page, own)) }),
    ...(uploads && {
      uploads: each(uploads, (upload) => ({
        ...upload,
        load: (ctx, address) => upload.load(own(ctx, address.workspace_id), address),
      })),
    }),
    ...(commands && {
      commands: commands.map((one) => ({
        ...one,
        run: (ctx, input) => one.run(own(activeWork(ctx)), input),
      })),
    }),
    ...(migrations && { migrations: migrations.map((one) => ({ ...one, up: (ctx) => one.up(own(ctx)) })) }),
    ...(pages && { pages: pages.map((page) => confinedPage(plugin, page, own)) }),
    ...(subscribers && {
      subscribers: each(
        subscribers as Readonly<Record<string, (ctx: OwnerContext, about: never) => Promise<void>>>,
        (react) => (ctx, about: never) => react(own(ctx, (about as Account).workspace_id), about),
      ),
    }),
    ...(demo?.remove && {
      demo: { ...demo, remove: async (ctx, ids) => demo.remove?.(own(ctx), ids) },
    }),
    ...(connections && { connections: connections.map((one) => confinedExtension(plugin, one)) }),
  } satisfies PluginDeclaration as P
}

/** Only a set-up reads settings. It gets those of its plugin. */
const confinedOperation = (plugin: Confinable, operation: AnyOperation): AnyOperation =>
  operation.class !== 'setup'
    ? operation
    : ({
        ...operation,
        run: (ctx: WriteContext, input: never) => operation.run(ownContext(plugin, ctx as never), input),
      } as AnyOperation)

const each = <T>(parts: Readonly<Record<string, T>>, change: (part: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]))

function confinedPublicPage(
  { summary, find, page, files }: PublicPageDeclaration,
  own: (ctx: OwnerContext, workspace?: string) => OwnerContext,
): PublicPageDeclaration {
  const submit = page?.submit
  return {
    summary,
    find: (ctx, token) => find(own(ctx), token),
    ...(page && {
      page: {
        ...page,
        load: (ctx, address, visit) => page.load(own(ctx, address.workspace_id), address, visit),
        ...(submit && {
          submit: {
            ...submit,
            run: (ctx, address, input) =>
              submit.run(own(activeWork(ctx), address.workspace_id), address, input),
          },
        }),
      },
    }),
    ...(files && {
      files: each(files, (file) => ({
        ...file,
        load: (ctx, address, asked) => file.load(own(ctx, address.workspace_id), address, asked),
      })),
    }),
  }
}

const confinedPage = (
  plugin: Confinable,
  page: AnyPage,
  own: (ctx: OwnerContext, workspace?: string) => OwnerContext,
): AnyPage => ({
  ...page,
  load: (ctx, query, ...about) => page.load(withSystem(plugin, ctx), query, ...about),
  ...(page.actions && { actions: each(page.actions, (action) => confinedAction(action, own)) }),
  ...(page.submit && { submit: confinedAction(page.submit, own) }),
})

const confinedAction = (
  action: AnyAction,
  own: (ctx: OwnerContext, workspace?: string) => OwnerContext,
): AnyAction => ({
  ...action,
  run: (ctx, input) => action.run({ ...ctx, owner: own(activeWork(ctx.owner), ctx.workspace?.id) }, input),
})

/**
 * Returns an implementation whose functions get the system context of the plugin that provides it, not the one of the
 * plugin that calls it.
 */
export function confinedExtension<T extends object>(plugin: Confinable, extension: T): T {
  const swap = (given: unknown) => {
    if (isContext(given)) return ownContext(plugin, given)
    const read = withSystem(plugin, given)
    // The context of a page action contains a system context too.
    return holdsContext(read) ? { ...read, owner: ownContext(plugin, activeWork(read.owner)) } : read
  }
  const wrapped = (holder: object, part: unknown): unknown => {
    if (typeof part === 'function')
      return (...given: unknown[]) => Reflect.apply(part, holder, given.map(swap))
    return isPlain(part) ? confinedExtension(plugin, part) : part
  }
  return Object.fromEntries(
    keysOf(extension).map((key) => [key, wrapped(extension, extension[key as keyof T])]),
  ) as T
}

/** Returns the context of a page with the settings of its plugin. */
function withSystem<T>(plugin: Confinable, given: T): T {
  if (typeof given !== 'object' || given === null) return given
  const { system } = given as { readonly system?: unknown }
  return isContext(system) ? { ...given, system: ownContext(plugin, system) } : given
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  // A schema is called with its own parts, never with a context.
  (value as { kind?: unknown }).kind !== 'schema'

const holdsContext = (given: unknown): given is { readonly owner: OwnerContext } =>
  typeof given === 'object' && given !== null && isContext((given as { owner?: unknown }).owner)

/** Returns the names of the parts of an implementation, including those of its class. */
function keysOf(extension: object): string[] {
  const keys = new Set<string>()
  for (let at = extension; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const key of Object.getOwnPropertyNames(at)) if (key !== 'constructor') keys.add(key)
  return [...keys]
}

/** Whether a value is a context: a complete one, a changed copy or a part. */
function isContext(given: unknown): given is OwnerContext {
  if (typeof given !== 'object' || given === null) return false
  const { outbound, settings } = given as Partial<OwnerContext>
  return (
    outbound?.secrets !== undefined ||
    (typeof settings === 'object' && settings !== null && 'SECRETS_KEY' in settings)
  )
}

/**
 * Returns the reads of pages and cards across workspaces, without writes and without the keys of the
 * installation.
 */
export function systemReads(owner: OwnerContext): SystemReads {
  const { eventTypes, extensions, log, now, providers, settings } = owner
  return Object.freeze({
    // A page or card gets the settings of its own plugin when it is called.
    extensions,
    log,
    now,
    providers,
    eventTypes,
    settings: narrowed(settings, (whole) => ownSettings({ name: '' }, whole)),
    rows: <E extends AnyEntity>(entity: E) => {
      const { get, list, each, pages, count, group } = owner.rows(entity)
      return { get, list, each, pages, count, group }
    },
    outbound: Object.freeze({
      mail: Object.freeze({ isConfigured: owner.outbound.mail.isConfigured }),
      connections: Object.freeze({
        get: (id: string) => owner.outbound.connections.get(id),
        list: (wanted: Parameters<Connections['list']>[0]) => owner.outbound.connections.list(wanted),
      }),
    }),
  })
}

/**
 * Secrets in core's settings: for stored credentials, the stores, the language model and the internal feeds.
 * Plugins see empty values.
 */
const noKeys = {
  SECRETS_KEY: [],
  MONGODB_URI: '',
  CLICKHOUSE_URL: '',
  RENOWN_INGEST_SECRET: '',
  LLM_API_KEY: '',
  METRICS_TOKEN: '',
  SMTP_URL: '',
}

/** The complete object for each limited one. */
const behind = new WeakMap<object, object>()
/** The workspace of each limited set of connections. */
const workspaces = new WeakMap<object, string>()

function narrowed<T extends object>(given: T, narrower: (whole: T) => T): T {
  const whole = (behind.get(given) as T | undefined) ?? given
  const narrow = narrower(whole)
  behind.set(narrow, whole)
  return narrow
}

/**
 * Returns the system context for one plugin: secrets of its own record types, connections of its own
 * providers, its own tables and settings. `workspace` is the one that its code works for, if any.
 */
function ownContext<C extends Partial<OwnerContext>>(plugin: Confinable, ctx: C, workspace?: string): C {
  const { columns, outbound, settings } = ctx
  return Object.freeze({
    ...ctx,
    ...(columns && { columns: narrowed(columns, (whole) => tablesOf(plugin, whole)) }),
    ...(outbound && { outbound: ownOutbound(plugin, outbound, workspace) }),
    ...(settings && { settings: narrowed(settings, (whole) => ownSettings(plugin, whole)) }),
  })
}

const byPlugin = new WeakMap<PluginDeclaration, WeakMap<Columns, Columns>>()

/** Returns the tables of a plugin. It caches checked queries, so there is one object per store. */
function tablesOf(plugin: PluginDeclaration, columns: Columns): Columns {
  const made = byPlugin.get(plugin) ?? new WeakMap<Columns, Columns>()
  byPlugin.set(plugin, made)
  const own = made.get(columns) ?? ownColumns(plugin, columns)
  made.set(columns, own)
  return own
}

/**
 * Returns all tables, not only those of one plugin, because core's demo writes the tables of every plugin.
 */
export const allTables = (columns: Columns): Columns =>
  (behind.get(columns) as Columns | undefined) ?? columns

function ownOutbound(plugin: PluginDeclaration, outbound: Outbound, workspace: string | undefined): Outbound {
  const { secrets, connections } = outbound
  const own = { ...outbound }
  if (secrets) Object.assign(own, { secrets: narrowed(secrets, (whole) => ownSecrets(plugin, whole)) })
  if (connections) {
    const within = workspace ?? workspaces.get(connections)
    const narrow = narrowed(connections, (whole) => ownConnections(plugin, whole, within))
    if (within !== undefined) workspaces.set(narrow, within)
    Object.assign(own, { connections: narrow })
  }
  return Object.freeze(own)
}

function ownSettings(
  { settings, readableSettings = [] }: Omit<Confinable, 'renown'>,
  whole: Settings,
): Settings {
  const own = new Set([...Object.keys(settings?.declared ?? {}), ...readableSettings])
  const entries = Object.entries(whole).filter(([name]) => Object.hasOwn(coreSettings, name) || own.has(name))
  return Object.freeze({ ...Object.fromEntries(entries), ...noKeys }) as unknown as Settings
}

function ownSecrets({ name, entities = [] }: PluginDeclaration, secrets: Secrets): Secrets {
  const own = new Map<string, AnyEntity>(entities.map((entity) => [entity.name, entity]))
  const check = ({ entity, field }: SealedPlace) => {
    const declared = own.get(entity)
    if (!declared)
      throw new Error(
        `The plugin ${name} cannot use secrets of ${entity}, because it does not declare that record type. A plugin can use only the secrets of its own record types.`,
      )
    if (!fieldsOf(declared).some((one) => one.name === field))
      throw new Error(
        `The plugin ${name} cannot use the secret ${entity}.${field}: that field does not exist.`,
      )
  }
  return Object.freeze({
    seal: (text: string, place: SealedPlace) => {
      check(place)
      return secrets.seal(text, place)
    },
    open: (sealed: string, place: SealedPlace) => {
      check(place)
      return secrets.open(sealed, place)
    },
    isOld: (sealed: string) => secrets.isOld(sealed),
  })
}
