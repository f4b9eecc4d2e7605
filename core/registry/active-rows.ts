import type { AnyEntity } from '../contracts/entity'
import type { OwnerContext, OwnerRows } from '../contracts/plugin'
import { everything, type Where, where } from '../contracts/where'

/**
 * Returns the system context of a scheduled task. Its queries and conditional writes omit rows of inactive
 * workspaces and agencies, which are read once per run. `get`, `update` and `insert` are unchanged, because
 * they name a row.
 */
export function activeRows(ctx: OwnerContext): OwnerContext {
  let asked: Promise<readonly string[]> | undefined
  const within = async (entity: AnyEntity, asks: Where = everything): Promise<Where> => {
    asked ??= ctx.inactiveWorkspaces()
    const values = await asked
    if (values.length === 0) return asks
    const field = entity.name === 'Workspace' ? 'id' : 'workspace_id'
    return where.and(asks, { op: 'nin', field, values })
  }
  const rows = <E extends AnyEntity>(entity: E): OwnerRows<E> => {
    const all = ctx.rows(entity)
    // Lists every method, so that a new one cannot be forgotten.
    return {
      get: all.get,
      insert: all.insert,
      insertMany: all.insertMany,
      update: all.update,
      async *each(query = {}) {
        yield* all.each({ ...query, where: await within(entity, query.where) })
      },
      async *pages(query = {}) {
        yield* all.pages({ ...query, where: await within(entity, query.where) })
      },
      list: async (query = {}) => all.list({ ...query, where: await within(entity, query.where) }),
      count: async (matching) => all.count(await within(entity, matching)),
      group: async (query) => all.group({ ...query, where: await within(entity, query.where) }),
      daySums: async (query) => all.daySums({ ...query, where: await within(entity, query.where) }),
      updateWhere: async (matching, changes) => all.updateWhere(await within(entity, matching), changes),
      updateMany: async (matching, changes) => all.updateMany(await within(entity, matching), changes),
      removeWhere: async (matching) => all.removeWhere(await within(entity, matching)),
    }
  }
  return { ...ctx, rows }
}

/**
 * Returns the system context of a command or form. It refuses to queue a job for an inactive workspace, where
 * the job would only wait.
 */
export const activeWork = (ctx: OwnerContext): OwnerContext => ({
  ...ctx,
  async enqueue(queue, job) {
    await ctx.requireActive(job.workspace_id)
    return ctx.enqueue(queue, job)
  },
})
