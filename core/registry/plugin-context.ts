import type { AnyEntity } from '../contracts/entity'
import type { SealedPlace, Secrets } from '../contracts/outbound'
import type { AnyAction, AnyPage } from '../contracts/page'
import type { OwnerContext, PluginDeclaration, SystemReads } from '../contracts/plugin'
import { fieldsOf } from '../kit/fields'
import { activeRows, activeWork } from './active-rows'

/**
 * Returns the plugin with a system context limited to its own powers. The registry uses it for every plugin, so no
 * job, queue, feed, command, migration, page or subscriber runs with the powers of another plugin.
 */
export function confined<P extends PluginDeclaration>(plugin: P): P {
  const own = (ctx: OwnerContext) => ownContext(plugin, ctx)
  const { jobs, queues, feeds, commands, migrations, pages, reactions } = plugin
  return {
    ...plugin,
    ...(jobs && {
      jobs: each(jobs, (job) => ({
        ...job,
        run: (ctx, signal) => job.run(own(job.includesInactive === true ? ctx : activeRows(ctx)), signal),
      })),
    }),
    ...(queues && {
      queues: each(queues, (queue) => ({
        ...queue,
        run: (ctx, payload, task) => queue.run(own(ctx), payload, task),
        ...(queue.buried && {
          buried: async (ctx, payload, error, task) => queue.buried?.(own(ctx), payload, error, task),
        }),
      })),
    }),
    ...(feeds && {
      feeds: each(feeds, (feed) => ({ ...feed, run: (ctx, given) => feed.run(own(ctx), given) })),
    }),
    ...(commands && {
      commands: commands.map((one) => ({
        ...one,
        run: (ctx, input) => one.run(own(activeWork(ctx)), input),
      })),
    }),
    ...(migrations && { migrations: migrations.map((one) => ({ ...one, up: (ctx) => one.up(own(ctx)) })) }),
    ...(pages && { pages: pages.map((page) => confinedPage(page, own)) }),
    ...(reactions && {
      reactions: each(
        reactions as Readonly<Record<string, (ctx: OwnerContext, about: never) => Promise<void>>>,
        (react) => (ctx, about) => react(own(ctx), about),
      ),
    }),
  } satisfies PluginDeclaration as P
}

const each = <T>(parts: Readonly<Record<string, T>>, change: (part: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, change(part)]))

const confinedPage = (page: AnyPage, own: (ctx: OwnerContext) => OwnerContext): AnyPage => ({
  ...page,
  ...(page.actions && { actions: each(page.actions, (action) => confinedAction(action, own)) }),
  ...(page.submit && { submit: confinedAction(page.submit, own) }),
})

const confinedAction = (action: AnyAction, own: (ctx: OwnerContext) => OwnerContext): AnyAction => ({
  ...action,
  run: (ctx, input) => action.run({ ...ctx, owner: own(activeWork(ctx.owner)) }, input),
})

/**
 * Returns an implementation whose functions get the system context of the plugin that provides it, not the one of the
 * plugin that calls it.
 */
export function confinedExtension<T extends object>(plugin: PluginDeclaration, extension: T): T {
  const swap = (given: unknown) => {
    if (isContext(given)) return ownContext(plugin, given)
    // An action of a page has the system context inside its own.
    return holdsContext(given) ? { ...given, owner: ownContext(plugin, activeWork(given.owner)) } : given
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

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.prototype &&
  // A schema is called with its own parts, and never with a context.
  (value as { kind?: unknown }).kind !== 'schema'

const holdsContext = (given: unknown): given is { readonly owner: OwnerContext } =>
  typeof given === 'object' && given !== null && isContext((given as { owner?: unknown }).owner)

/** Names of the parts of an implementation, those of its class included. */
function keysOf(extension: object): string[] {
  const keys = new Set<string>()
  for (let at = extension; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const key of Object.getOwnPropertyNames(at)) if (key !== 'constructor') keys.add(key)
  return [...keys]
}

/** A context may come whole or as a copy with changes. */
const isContext = (given: unknown): given is OwnerContext =>
  typeof given === 'object' &&
  given !== null &&
  (given as Partial<OwnerContext>).outbound?.secrets !== undefined

/** What pages and cards read above the workspaces, without writes and without the keys of the installation. */
export function systemReads(owner: OwnerContext): SystemReads {
  const { extensions, now, providers, settings } = owner
  return Object.freeze({
    ...{ extensions, now, providers, settings: { ...settings, ...noKeys } },
    rows: <E extends AnyEntity>(entity: E) => {
      const { get, list, each, pages, count, group } = owner.rows(entity)
      return { get, list, each, pages, count, group }
    },
  })
}

/** The keys of the installation itself: to its secrets, to its stores and to what its processes tell each other. No plugin needs them. */
const noKeys = { SECRETS_KEY: [], MONGODB_URI: '', CLICKHOUSE_URL: '', RENOWN_INGEST_SECRET: '' }

/** The secrets of the installation behind those that a plugin was handed. */
const behind = new WeakMap<Secrets, Secrets>()

/** The system context as one plugin gets it: secrets of its own record types, and no key to any other. */
function ownContext(plugin: PluginDeclaration, ctx: OwnerContext): OwnerContext {
  const { secrets: given } = ctx.outbound
  const secrets = ownSecrets(plugin, behind.get(given) ?? given)
  return Object.freeze({
    ...ctx,
    outbound: Object.freeze({ ...ctx.outbound, secrets }),
    settings: { ...ctx.settings, ...noKeys },
  })
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
  const confinedSecrets: Secrets = Object.freeze({
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
  behind.set(confinedSecrets, secrets)
  return confinedSecrets
}
