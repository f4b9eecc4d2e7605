import type { AnyEntity, NewRow, OwnerContext, OwnerRows } from 'renown'
import { where } from 'renown'
import type { Beginning } from './begin-tracking'

/** Returns the context of a command or form, limited to one workspace. */
export const writeIn = (ctx: OwnerContext, workspace_id: string): Beginning => ({
  workspace: { id: workspace_id },
  now: () => ctx.now(),
  rows: (entity) => within(ctx.rows<AnyEntity>(entity), workspace_id) as never,
})

const within = (rows: OwnerRows<AnyEntity>, workspace_id: string) => ({
  async get(id: string) {
    const row = await rows.get(id)
    return row && (row.workspace_id === workspace_id || row.id === workspace_id) ? row : null
  },
  list: (query: { where?: ReturnType<typeof where.and> } = {}) =>
    rows.list({
      ...query,
      where: where.and(where.eq('workspace_id', workspace_id), ...(query.where ? [query.where] : [])),
    }),
  insert: (row: NewRow<AnyEntity>) => rows.insert({ ...row, workspace_id }),
  update: (id: string, changes: Parameters<typeof rows.update>[1]) =>
    rows.updateWhere(where.and(where.eq('workspace_id', workspace_id), where.eq('id', id)), changes),
})
