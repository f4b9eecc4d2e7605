import * as v from 'valibot'
import { defineCommand, field, Refusal } from '../kit'
import { recordAudit } from './record-audit'
import { Workspace } from './Workspace'

/** Hides the contact details of leads from every credential, or shows them again. */
export const redactWorkspace = defineCommand({
  name: 'workspace redact',
  summary: 'Hide the contact details of leads in a workspace from every credential, or show them with --off',
  input: v.strictObject({
    workspace_id: field.text('The workspace'),
    off: v.optional(field.flag('Give them back'), false),
  }),
  positional: ['workspace_id'],
  async run(ctx, { workspace_id, off }) {
    const changed = await ctx.rows(Workspace).update(workspace_id, { redact_pii: !off })
    if (!changed) throw new Refusal('not_found', `There is no workspace ${workspace_id}.`)
    const action = off ? 'workspace.unredact' : 'workspace.redact'
    await recordAudit(ctx, changed.agency_id, action, changed.name)
    return { workspace_id, redact_pii: !off }
  },
})
