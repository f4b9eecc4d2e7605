import * as v from 'valibot'
import { defineCommand, field, Refusal } from '../../kit'
import { auditOf, commandLine } from '../../tenancy/audit/audit'
import { agencyInput, agencyOf } from '../../tenancy/named-agency'
import { connectedApps, endGrant } from './grants/grants'
import { OAuthGrant } from './grants/OAuthGrant'

export const appList = defineCommand({
  name: 'app list',
  summary: 'Show the apps that people have connected, what they may do and when they were last used',
  input: v.strictObject({ agency_id: agencyInput }),
  async run(ctx, { agency_id }) {
    const agencyId = await agencyOf(ctx, agency_id)
    return { apps: await connectedApps(ctx.rows(OAuthGrant), agencyId, ctx.now()) }
  },
})

export const appDisconnect = defineCommand({
  name: 'app disconnect',
  summary: "Ends a connected app's access at once. The agent key is not touched",
  input: v.strictObject({ grant_id: field.text('The connection to end, as `app list` names it') }),
  positional: ['grant_id'],
  async run(ctx, { grant_id }) {
    const ended = await endGrant(ctx.rows(OAuthGrant), grant_id, 'disconnected', ctx.now())
    if (!ended) throw new Refusal('not_found', `There is no connected app ${grant_id}.`)
    const { agency_id, client_name: subject } = ended
    const event = { agency_id, host: commandLine, credential: grant_id, subject }
    await auditOf(ctx).record({ ...event, action: 'app.disconnect' })
    return { grant_id, name: subject, disconnected: true }
  },
})
