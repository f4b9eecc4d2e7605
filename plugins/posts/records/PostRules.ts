import { defineEntity, field, type ListQuery, type Row, where } from 'renown'

/** Internal: what a workspace demands of its posts. One row per workspace. */
export const PostRules = defineEntity({
  name: 'PostRules',
  summary: 'What a workspace demands of its posts',
  idPrefix: 'pru',
  store: 'documents',
  scope: { by: 'workspace', field: 'workspace_id' },
  reads: [],
  people: 'nobody',
  fields: { needs_approval: field.flag('Renown publishes only posts that a client approved') },
  sortable: ['created_date'],
  indexes: [{ on: ['workspace_id'], unique: true }],
})

/** Reads the rules, for people and for the system. */
interface RulesReads {
  rows(entity: typeof PostRules): { list(query: ListQuery): Promise<Row<typeof PostRules>[]> }
}

/** Whether a workspace publishes only posts that a client approved. */
export async function needsApproval(ctx: RulesReads, workspace_id: string): Promise<boolean> {
  const own = where.eq('workspace_id', workspace_id)
  const [rules] = await ctx.rows(PostRules).list({ where: own, limit: 1 })
  return rules?.needs_approval === true
}
