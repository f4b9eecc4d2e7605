import { defineAct } from '../kit'
import { onAgency } from '../tenancy/named-agency'
import { AgentKey } from './AgentKey'
import { replaceKey, revokeKey } from './agent-keys'

/** Replaces the agency's key, or creates its first one. */
export const keyRotate = defineAct({
  name: 'key rotate',
  summary: "Replaces an agency's key: the old one stops working at once, the new one is shown once",
  on: onAgency,
  secrets: ['agent_key'],
  only: 'owner',
  auth: 'recent',
  label: 'Rotate the key',
  done: { rotated: 'The key is replaced.', created: 'The key is created.' },
  audit: {
    action: { rotated: 'key.rotate', created: 'key.create' },
    what: { rotated: 'Agent key rotated', created: 'Agent key created' },
  },
  async run(ctx, { row: { id: agency_id } }) {
    const { token, last4, replaced } = await replaceKey(ctx.rows(AgentKey), agency_id, ctx.now())
    return {
      answer: { agency_id, agent_key: token, last4, replaced },
      said: replaced ? 'rotated' : 'created',
      subject: `…${last4}`,
    }
  },
})

/** Ends the agency's key. Without an active one, nothing changes. */
export const keyRevoke = defineAct({
  name: 'key revoke',
  summary: "Ends an agency's key without a new one. Connected apps are not touched",
  on: onAgency,
  only: 'owner',
  auth: 'recent',
  label: 'Revoke the key',
  done: 'The key is revoked. Requests with it are refused.',
  audit: { action: 'key.revoke', what: 'Agent key revoked' },
  async run(ctx, { row: { id: agency_id } }) {
    const ended = await revokeKey(ctx.rows(AgentKey), agency_id)
    return {
      answer: { agency_id, revoked: ended !== null },
      isChanged: ended !== null,
      ...(ended && { subject: `…${ended.last4}` }),
    }
  },
})
