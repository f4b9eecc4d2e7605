import * as v from 'valibot'
import { defineCommand } from '../kit'
import { auditOf, commandLine } from '../tenancy/audit/audit'
import { agencyInput, agencyOf } from '../tenancy/named-agency'
import { AgentKey } from './AgentKey'
import { replaceKey, revokeKey } from './agent-keys'

const input = v.strictObject({ agency_id: agencyInput })

export const keyRotate = defineCommand({
  name: 'key rotate',
  summary: "Replaces an agency's key: the old one stops working at once, the new one is shown once",
  input,
  secrets: ['agent_key'],
  async run(ctx, { agency_id }) {
    const agencyId = await agencyOf(ctx, agency_id)
    const { token, last4, replaced } = await replaceKey(ctx.rows(AgentKey), agencyId, ctx.now())
    const action = replaced ? 'key.rotate' : 'key.create'
    await auditOf(ctx).record({ agency_id: agencyId, action, host: commandLine })
    return { agency_id: agencyId, agent_key: token, last4, replaced }
  },
})

export const keyRevoke = defineCommand({
  name: 'key revoke',
  summary: "Ends an agency's key without a new one. Connected apps are not touched",
  input,
  async run(ctx, { agency_id }) {
    const agencyId = await agencyOf(ctx, agency_id)
    const revoked = await revokeKey(ctx.rows(AgentKey), agencyId)
    if (revoked) await auditOf(ctx).record({ agency_id: agencyId, action: 'key.revoke', host: commandLine })
    return { agency_id: agencyId, revoked }
  },
})
