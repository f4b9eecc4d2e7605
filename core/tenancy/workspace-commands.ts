import * as v from 'valibot'
import type { ActAudit, ActRecord } from '../contracts/act'
import { defineAct, field, Refusal, typedName } from '../kit'
import { findNamed } from './find-named'
import { Workspace } from './Workspace'

/** The workspace of an act. The shell also takes its name. */
const onWorkspace: ActRecord<typeof Workspace> = {
  entity: Workspace,
  field: 'workspace_id',
  called: 'workspace',
  hint: '`bun renown workspace list` shows all workspaces.',
  inShell: {
    fields: { workspace_id: field.text('Id or name of the workspace. `workspace list` shows both') },
    find: (ctx, { workspace_id }) => findNamed(ctx, Workspace, 'name', String(workspace_id)),
  },
}

const named: Pick<ActAudit<typeof Workspace, Record<never, never>>, 'subject'> = {
  subject: (_, { name }) => name,
}

/** Changes the name of a workspace. */
export const renameWorkspace = defineAct({
  name: 'workspace rename',
  summary: 'Rename a workspace',
  on: onWorkspace,
  fields: { name: typedName('New name of the workspace') },
  positional: ['name'],
  only: 'owner',
  label: 'Rename workspace',
  done: 'The workspace was renamed.',
  undo: 'workspace rename',
  audit: {
    action: 'workspace.rename',
    what: 'Workspace renamed',
    subject: (_, before, { name }) => `${before.name} → ${name}`,
  },
  async run(ctx, { row: { id: workspace_id, name: before }, input: { name } }) {
    await ctx.rows(Workspace).update(workspace_id, { name })
    return { answer: { name, before, workspace_id } }
  },
})

/** Stops all work for a workspace without deleting anything. Archiving it again changes nothing. */
export const archiveWorkspace = defineAct({
  name: 'workspace archive',
  summary: 'Stop all work for a workspace and keep its data',
  on: onWorkspace,
  only: 'owner',
  label: 'Archive workspace',
  done: 'The workspace was archived.',
  undo: 'workspace restore',
  audit: { ...named, action: 'workspace.archive', what: 'Workspace archived' },
  async run(ctx, { row: { id: workspace_id, name, is_active, is_home } }) {
    if (is_home)
      throw new Refusal('conflict', `${name} is the home workspace of its agency.`, {
        hint: 'An agency always keeps its home workspace. Archive one of its other workspaces.',
      })
    if (is_active) await ctx.rows(Workspace).update(workspace_id, { is_active: false })
    return { answer: { name, status: 'archived', workspace_id }, isChanged: is_active }
  },
})

/** Starts the work for an archived workspace again. */
export const restoreWorkspace = defineAct({
  name: 'workspace restore',
  summary: 'Start the work for an archived workspace again',
  on: onWorkspace,
  only: 'owner',
  label: 'Restore workspace',
  done: 'The workspace is active again.',
  undo: 'workspace archive',
  audit: { ...named, action: 'workspace.restore', what: 'Workspace restored' },
  async run(ctx, { row: { id: workspace_id, name, is_active } }) {
    if (!is_active) await ctx.rows(Workspace).update(workspace_id, { is_active: true })
    return { answer: { name, status: 'active', workspace_id }, isChanged: !is_active }
  },
})

/** Hides the contact details of leads from every credential, or shows them again. */
export const redactWorkspace = defineAct({
  name: 'workspace redact',
  summary: 'Hide the contact details of leads in a workspace from every credential, or show them with --off',
  on: { entity: Workspace, field: 'workspace_id', called: 'workspace' },
  fields: { off: v.optional(field.flag('Give them back'), false) },
  isShellOnly: true,
  undo: 'workspace redact',
  audit: {
    action: { redacted: 'workspace.redact', shown: 'workspace.unredact' },
    what: {
      redacted: 'Contact details of leads hidden from credentials',
      shown: 'Contact details of leads shown to credentials again',
    },
    ...named,
  },
  async run(ctx, { row: { id: workspace_id }, input: { off } }) {
    await ctx.rows(Workspace).update(workspace_id, { redact_pii: !off })
    return { answer: { workspace_id, redact_pii: !off }, said: off ? 'shown' : 'redacted' }
  },
})

/** What owners and operators do with workspaces. */
export const workspaceActs = [renameWorkspace, archiveWorkspace, restoreWorkspace, redactWorkspace]
