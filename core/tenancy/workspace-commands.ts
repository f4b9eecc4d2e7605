import * as v from 'valibot'
import { defineCommand, field, type OwnerContext, Refusal, type Row, typedName } from '../kit'
import { requireWorkspace } from './agency-lists'
import { recordAudit } from './record-audit'
import { Workspace } from './Workspace'

const workspaceId = field.text('Id or name of the workspace. `workspace list` shows both')

/** Changes the name of a workspace. */
export const renameWorkspace = defineCommand({
  name: 'workspace rename',
  summary: 'Rename a workspace',
  input: v.strictObject({
    workspace_id: workspaceId,
    name: typedName('New name of the workspace'),
  }),
  positional: ['workspace_id', 'name'],
  async run(ctx, { workspace_id, name }) {
    const workspace = await requireWorkspace(ctx, workspace_id)
    await ctx.rows(Workspace).update(workspace.id, { name })
    await recordAudit(ctx, workspace.agency_id, 'workspace.rename', `${workspace.name} → ${name}`)
    return { name, before: workspace.name, workspace_id: workspace.id }
  },
})

/** Stops all work for a workspace without deleting anything. Archiving it again changes nothing. */
export const archiveWorkspace = defineCommand({
  name: 'workspace archive',
  summary: 'Stop all work for a workspace and keep its data',
  input: v.strictObject({ workspace_id: workspaceId }),
  positional: ['workspace_id'],
  async run(ctx, { workspace_id }) {
    const workspace = await requireWorkspace(ctx, workspace_id)
    if (workspace.is_home)
      throw new Refusal('conflict', `${workspace.name} is the home workspace of its agency.`, {
        hint: 'An agency always keeps its home workspace. Archive one of its other workspaces.',
      })
    return setActive(ctx, workspace, false)
  },
})

/** Starts the work for an archived workspace again. */
export const restoreWorkspace = defineCommand({
  name: 'workspace restore',
  summary: 'Start the work for an archived workspace again',
  input: v.strictObject({ workspace_id: workspaceId }),
  positional: ['workspace_id'],
  async run(ctx, { workspace_id }) {
    return setActive(ctx, await requireWorkspace(ctx, workspace_id), true)
  },
})

async function setActive(ctx: OwnerContext, workspace: Row<typeof Workspace>, is_active: boolean) {
  const { id, agency_id, name } = workspace
  if (workspace.is_active !== is_active) {
    await ctx.rows(Workspace).update(id, { is_active })
    await recordAudit(ctx, agency_id, is_active ? 'workspace.restore' : 'workspace.archive', name)
  }
  return { name, status: is_active ? 'active' : 'archived', workspace_id: id }
}
