import * as v from 'valibot'
import { defineOperation, field, Refusal } from '../kit'
import { Workspace } from './Workspace'

/** Returns a caller's credential and the workspace it reads. */
export const whoami = defineOperation({
  name: 'whoami',
  summary: 'Who this credential acts for, its permissions and the workspace it reads',
  class: 'read',
  crossAgency: 'own',
  input: v.strictObject({}),
  output: v.object({
    credential: v.object({
      kind: field.oneOf(['agent_key', 'oauth'], 'Type of the credential'),
      platform: field.flag('Entities of any workspace may be read'),
      scopes: v.pipe(
        v.array(v.picklist(['read', 'write'])),
        v.description('read: operations of the class read. write: operations of every other class'),
      ),
    }),
    agency_id: field.code('Agency the credential belongs to'),
    workspace: v.object({
      id: field.code('Workspace being read'),
      name: field.text('Its name'),
      agency_id: field.code('Agency that owns it'),
      is_home: field.flag('It is the home workspace, which is read if X-Workspace-Id is missing'),
      timezone: field.code('IANA time zone of its report periods'),
      locale: field.code('BCP 47 language tag of its texts'),
      plan: field.code('Its plan'),
      is_demo: field.flag('The data is sample data of a demo'),
    }),
    checked_at: field.instant('When this was answered'),
  }),
  async run(ctx) {
    const workspace = await ctx.rows(Workspace).get(ctx.workspace.id)
    if (!workspace) throw new Refusal('not_found', 'The workspace was removed while it was being read.')
    const { id, name, agency_id, is_home, timezone, locale, plan, is_demo = false } = workspace
    const { kind, platform, scopes } = ctx.credential
    if (kind === 'person') throw new Error('whoami needs a credential')
    return {
      credential: { kind, platform, scopes: [...scopes] },
      agency_id: ctx.credential.agency_id,
      workspace: { id, name, agency_id, is_home, timezone, locale, plan, is_demo },
      checked_at: ctx.now().toISOString(),
    }
  },
})
