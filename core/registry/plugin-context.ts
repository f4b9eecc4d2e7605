import type { AnyEntity } from '../contracts/entity'
import type { SealedPlace, Secrets } from '../contracts/outbound'
import type { AnyPage } from '../contracts/page'
import type { OwnerContext, PluginDeclaration } from '../contracts/plugin'
import { fieldsOf } from '../kit/fields'

/**
 * The same plugin, whose code gets the system context with its own powers only. The registry passes every plugin through here, so no
 * job, queue, feed, command, migration, page or reaction runs with the powers of another plugin.
 */
export function confined<P extends PluginDeclaration>(plugin: P): P {
  const own = (ctx: OwnerContext) => ownContext(plugin, ctx)
  const { jobs, queues, feeds, commands, migrations, pages, reactions } = plugin
  return {
    ...plugin,
    ...(jobs && { jobs: each(jobs, (job) => ({ ...job, run: (ctx, signal) => job.run(own(ctx), signal) })) }),
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
      commands: commands.map((one) => ({ ...one, run: (ctx, input) => one.run(own(ctx), input) })),
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
  ...(page.actions && {
    actions: each(page.actions, (action) => ({
      ...action,
      run: (ctx, input) => action.run({ ...ctx, owner: own(ctx.owner) }, input),
    })),
  }),
})

/** The system context as one plugin gets it: secrets of its own record types, and no key to any other. */
function ownContext(plugin: PluginDeclaration, ctx: OwnerContext): OwnerContext {
  const secrets = ownSecrets(plugin, ctx.outbound.secrets)
  return Object.freeze({
    ...ctx,
    outbound: Object.freeze({ ...ctx.outbound, secrets }),
    settings: { ...ctx.settings, SECRETS_KEY: [] },
  })
}

function ownSecrets({ name, entities = [] }: PluginDeclaration, secrets: Secrets): Secrets {
  const own = new Map<string, AnyEntity>(entities.map((entity) => [entity.name, entity]))
  const check = ({ entity, field }: SealedPlace) => {
    const declared = own.get(entity)
    if (!declared)
      throw new Error(
        `The plugin ${name} cannot use secrets of ${entity}: it does not declare that record type. A plugin seals and opens secrets of its own record types only.`,
      )
    if (!fieldsOf(declared).some((one) => one.name === field))
      throw new Error(`The plugin ${name} cannot use a secret of ${entity}.${field}: there is no such field.`)
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
