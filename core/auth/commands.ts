import * as v from 'valibot'
import { Refusal } from '../contracts/errors'
import type { OwnerContext } from '../contracts/plugin'
import { defineCommand, where } from '../kit'
import { Agency } from '../tenancy/Agency'
import { auditOf, commandLine } from '../tenancy/audit/audit'
import { AgentKey } from './AgentKey'
import { replaceKey, revokeKey } from './agent-keys'

/** The agency that a command is about. */
export const agencyInput = v.optional(
  v.pipe(v.string(), v.description('The agency it is about. May be left out where there is only one')),
)

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

/** The agency that was named, or the only one there is. */
export async function agencyOf(ctx: OwnerContext, named: string | undefined): Promise<string> {
  const agencies = ctx.rows(Agency)
  if (named !== undefined) {
    if (await agencies.get(named)) return named
    throw new Refusal('not_found', `There is no agency ${named}.`)
  }
  const [first, ...others] = await agencies.list({ where: where.ne('is_demo', true), limit: 20 })
  if (!first) throw new Refusal('not_found', 'There is no agency yet.')
  if (others.length === 0) return first.id
  throw new Refusal('invalid_field', 'There are several agencies: say which one with --agency-id.', {
    errors: [
      {
        pointer: '/agency_id',
        code: 'required',
        message: 'is required where there are several agencies',
        allowed: [first, ...others].map(({ id }) => id),
      },
    ],
  })
}
