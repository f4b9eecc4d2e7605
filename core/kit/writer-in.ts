import type { ListQuery, WriteContext, WriteRows } from '../contracts/context'
import type { AnyEntity, NewRow, RowChanges } from '../contracts/entity'
import type { OwnerContext } from '../contracts/owner'
import { type Where, where } from '../contracts/where'

/** The part of a context that commands, forms and operations have in common: the rows of one workspace. */
export interface WorkspaceWriter extends Pick<WriteContext, 'now'> {
  readonly workspace: { readonly id: string }
  rows<E extends AnyEntity>(entity: E): Pick<WriteRows<E>, 'get' | 'list' | 'insert' | 'update'>
}

/** Returns the context of a command or form, limited to one workspace: rows of others cannot be read or changed. */
export const writerIn = (ctx: Pick<OwnerContext, 'rows' | 'now'>, workspace_id: string): WorkspaceWriter => ({
  workspace: { id: workspace_id },
  now: () => ctx.now(),
  rows: (entity) => within(ctx, entity, workspace_id) as never,
})

function within(ctx: Pick<OwnerContext, 'rows'>, entity: AnyEntity, workspace_id: string) {
  const rows = ctx.rows<AnyEntity>(entity)
  const own = where.eq('workspace_id', workspace_id)
  return {
    async get(id: string) {
      const row = await rows.get(id)
      // The workspace itself has no `workspace_id`.
      return row && (row.workspace_id === workspace_id || row.id === workspace_id) ? row : null
    },
    list: (query: ListQuery = {}) =>
      rows.list({ ...query, where: query.where ? where.and(own, query.where) : own }),
    insert: (row: NewRow<AnyEntity>) => rows.insert({ ...row, workspace_id }),
    update: (id: string, changes: RowChanges<AnyEntity>, onlyIf?: Where) =>
      rows.updateWhere(where.and(own, where.eq('id', id), ...(onlyIf ? [onlyIf] : [])), changes),
  }
}
