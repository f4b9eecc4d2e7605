import type { ReadContext } from '../contracts/context'
import type { AnyEntity } from '../contracts/entity'
import type { Outbound, SealedPlace, Secrets } from '../contracts/outbound'
import type { Columns, OwnerContext, PluginDeclaration, SystemReads } from '../contracts/plugin'
import { settings as coreSettings, type Settings } from '../contracts/settings'
import type { Connections } from '../contracts/upkeep'
import { activeWork } from './active-rows'
import type { Own } from './kind'
import { ownColumns } from './own-columns'
import { ownConnections } from './own-connections'

/** A plugin with the names of settings that other plugins share. */
export type Confinable = PluginDeclaration & {
  readonly readableSettings?: readonly string[]
  /** Whether it is a part of the product itself, which reads and writes the rows of every plugin. */
  readonly isCore?: boolean
}

/** The plugins of the product itself. */
const corePlugins = new WeakSet<PluginDeclaration>()

/** Marks a plugin as a part of the product itself. */
export function asCore<P extends PluginDeclaration>(plugin: P): P {
  corePlugins.add(plugin)
  return plugin
}

/** Whether a plugin is a part of the product itself. */
export const isCore = (plugin: PluginDeclaration): boolean => corePlugins.has(plugin)

/** The plugins that declare a record type, by the object. */
const declarers = new WeakMap<AnyEntity, Set<string>>()

/** Record types that core's functions use with the context of any plugin. */
const openEntities = new WeakSet<AnyEntity>()

/** Records who declares which record types, so that another plugin cannot use them by their own objects. */
export function noteDeclared({ name, isCore: isOpen, entities = [] }: Confinable): void {
  for (const entity of entities) {
    declarers.set(entity, (declarers.get(entity) ?? new Set()).add(name))
    if (isOpen) openEntities.add(entity)
  }
}

/** The complete object for each that was handed out: itself, or what a limited one was made of. */
const wholes = new WeakMap<object, object>()
/** The workspace of each limited set of connections. */
const workspaces = new WeakMap<object, string>()

/**
 * Marks a context of the product as handed out, with what it gives access to. A function of another plugin that gets it,
 * or a copy or a part of it, gets its own instead.
 */
export function handOut<C extends object>(ctx: C): C {
  const { rows, columns, outbound, settings } = ctx as Partial<OwnerContext>
  for (const one of [ctx, rows, columns, outbound, settings])
    if (one && !wholes.has(one)) wholes.set(one, one)
  return ctx
}

/** A context that contains others. */
interface Nesting {
  readonly system: SystemReads
  readonly owner: OwnerContext
  readonly workspace: { readonly id: string } | null
}

/** Whether a value is a context that was handed out, or a copy or a part of one. */
function isHandedOut(given: unknown): given is object {
  const { system, owner } = (given ?? {}) as Partial<Nesting>
  return [given, system, owner].some(holdsAccess)
}

function holdsAccess(given: unknown): boolean {
  if (typeof given !== 'object' || given === null) return false
  const { rows, columns, outbound, settings } = given as Partial<OwnerContext>
  return [given, rows, columns, outbound, settings].some((one) => one !== undefined && wholes.has(one))
}

function narrowed<T extends object>(given: T, narrower: (whole: T) => T): T {
  const whole = (wholes.get(given) as T | undefined) ?? given
  const narrow = narrower(whole)
  wholes.set(narrow, whole)
  return narrow
}

/**
 * Returns what makes contexts for one plugin: with secrets of its own record types, connections of its own providers, its
 * own tables and settings.
 */
export const ownOf = (plugin: Confinable): Own => {
  const own: Own = (ctx, within) => {
    const { columns, outbound, settings, system, owner, workspace } = ctx as Partial<OwnerContext & Nesting>
    return Object.freeze({
      ...ctx,
      ...ownRows(plugin, ctx),
      ...(columns && { columns: narrowed(columns, (whole) => tablesOf(plugin, whole)) }),
      ...(outbound && { outbound: ownOutbound(plugin, outbound, within) }),
      ...(settings && { settings: narrowed(settings, (whole) => ownSettings(plugin, whole)) }),
      ...(system && { system: own(system) }),
      ...(owner && { owner: own(activeWork(owner), within ?? workspace?.id) }),
    })
  }
  return own
}

/**
 * Returns an implementation whose functions get the contexts of the plugin that provides it, not those of the plugin that
 * calls it. A context can be an argument, or a part of an object that is one.
 */
export function ownExtension<T extends object>(own: Own, extension: T): T {
  const swap = (given: unknown) => {
    if (isHandedOut(given)) return own(given)
    // Such as `{ reads, signal }` for a section of a report.
    if (!isPlain(given) || !Object.values(given).some(isHandedOut)) return given
    const parts = Object.entries(given).map(([key, part]) => [key, isHandedOut(part) ? own(part) : part])
    return Object.freeze(Object.fromEntries(parts))
  }
  const wrapped = (part: unknown): unknown => {
    if (typeof part === 'function')
      return (...given: unknown[]) => Reflect.apply(part, extension, given.map(swap))
    return isPlain(part) ? ownExtension(own, part) : part
  }
  return Object.fromEntries(keysOf(extension).map((key) => [key, wrapped(extension[key as keyof T])])) as T
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  // A schema is called with its own parts, never with a context.
  (value as { kind?: unknown }).kind !== 'schema'

/** Returns the names of the parts of an implementation, including those of its class. */
export function keysOf(extension: object): string[] {
  const keys = new Set<string>()
  for (let at = extension; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const key of Object.getOwnPropertyNames(at)) if (key !== 'constructor') keys.add(key)
  return [...keys]
}

/** No plugin: it has no settings of its own. */
const nobody = { name: '' }

/**
 * Returns the reads of pages and cards across workspaces, without writes and without the keys of the
 * installation.
 */
export function systemReads(owner: OwnerContext): SystemReads {
  const { eventTypes, extensions, log, now, providers, settings } = owner
  return handOut(
    Object.freeze({
      // A page or card gets the settings of its own plugin when it is called.
      extensions,
      log,
      now,
      providers,
      eventTypes,
      settings: narrowed(settings, (whole) => ownSettings(nobody, whole)),
      rows: <E extends AnyEntity>(entity: E) => {
        const { get, list, each, pages, count, group, daySums } = owner.rows(entity)
        return { get, list, each, pages, count, group, daySums }
      },
      outbound: Object.freeze({
        mail: Object.freeze({ isConfigured: owner.outbound.mail.isConfigured }),
        connections: Object.freeze({
          get: (id: string) => owner.outbound.connections.get(id),
          list: (wanted: Parameters<Connections['list']>[0]) => owner.outbound.connections.list(wanted),
        }),
      }),
    }),
  )
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
  (wholes.get(columns) as Columns | undefined) ?? columns

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
  return handOut({ outbound: Object.freeze(own) }).outbound
}

type RowAccess = Pick<OwnerContext, 'rows' | 'mismatches' | 'writeTogether' | 'workspaceReads'> &
  Pick<ReadContext, 'joined'>

/** Returns the access to rows, which refuses record types by the objects of other plugins. Core has all rows. */
function ownRows(plugin: Confinable, ctx: Partial<RowAccess>): Partial<RowAccess> {
  const { rows, joined, mismatches, writeTogether, workspaceReads } = ctx
  const check = <E extends AnyEntity>(entity: E): E => {
    const by = declarers.get(entity)
    if (!by || by.has(plugin.name) || openEntities.has(entity)) return entity
    throw new Error(
      `The plugin ${plugin.name} cannot use the declaration of ${entity.name} by ${[...by].join(', ')}. Name the fields that you need with \`foreignEntity\`.`,
    )
  }
  const own = <T extends object>(given: T, narrower: (whole: T) => T): T =>
    narrowed(given, plugin.isCore ? (whole) => whole : narrower)
  return {
    ...(rows && { rows: own(rows, (whole) => (entity) => whole(check(entity))) }),
    ...(joined && {
      joined: own(joined, (whole) => async (entity, query, other) => {
        check(other.entity)
        return whole(check(entity), query, other)
      }),
    }),
    ...(mismatches && {
      mismatches: own(mismatches, (whole) => async (entity, limit) => whole(check(entity), limit)),
    }),
    ...(writeTogether && { writeTogether: own(writeTogether, (whole) => together(whole, check)) }),
    ...(workspaceReads && {
      workspaceReads: own(workspaceReads, (whole) => async (id) => {
        const reads = await whole(id)
        return reads && ownOf(plugin)(reads)
      }),
    }),
  }
}

/** Returns writes that are stored together, whose record types are checked. */
const together =
  (whole: OwnerContext['writeTogether'], check: <E extends AnyEntity>(entity: E) => E): typeof whole =>
  (collect) =>
    whole(({ insert, update }) =>
      collect({
        insert: (entity, row) => insert(check(entity), row),
        update: (entity, id, changes) => update(check(entity), id, changes),
      }),
    )

/** The settings of each plugin, by the whole ones. Every page makes contexts for every plugin, and settings never change. */
const settingsOf = new WeakMap<Settings, WeakMap<object, Settings>>()

function ownSettings(plugin: Omit<Confinable, 'renown'>, whole: Settings): Settings {
  const made = settingsOf.get(whole) ?? new WeakMap<object, Settings>()
  settingsOf.set(whole, made)
  const own = made.get(plugin) ?? pickSettings(plugin, whole)
  made.set(plugin, own)
  return own
}

function pickSettings(
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
    if (!(declared.sealed as readonly string[] | undefined)?.includes(field))
      throw new Error(
        `The plugin ${name} cannot use the secret ${entity}.${field}: the record type does not list that field under sealed.`,
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
