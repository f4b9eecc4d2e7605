import * as v from 'valibot'
import type { Clock } from '../../clock'
import type { Row } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import { where } from '../../contracts/where'
import { isWellFormedToken, sha256Hex } from '../../crypto'
import { ownerRows } from '../../gateway/owner'
import { defineCommand } from '../../index'
import type { Documents } from '../../stores/documents/port'
import { User } from '../../tenancy/User'
import { auditOf, commandLine } from '../audit'
import { agencyInput, agencyOf } from '../commands'
import { OwnerLink } from './OwnerLink'

const prefix = 'rnw_link_'
const lastsMs = 24 * 60 * 60_000

export const ownerLink = defineCommand({
  name: 'owner link',
  summary:
    "Makes a link that lets an agency's owner in once, within 24 hours, to choose a password. Earlier links end",
  input: v.strictObject({ agency_id: agencyInput }),
  secrets: ['owner_link'],
  async run(ctx, { agency_id }) {
    const agencyId = await agencyOf(ctx, agency_id)
    const owners = where.and(where.eq('agency_id', agencyId), where.eq('is_active', true))
    const oldest = [{ field: 'created_date', direction: 'asc' }] as const
    const [owner] = await ctx.rows(User).list({ where: owners, sort: oldest, limit: 1 })
    if (!owner) throw new Refusal('not_found', `The agency ${agencyId} has nobody who could sign in.`)
    const { token, hash } = await ctx.newToken(prefix)
    const expires_at = new Date(ctx.now().getTime() + lastsMs).toISOString()
    await ctx.rows(OwnerLink).removeWhere(where.eq('user_id', owner.id))
    await ctx.rows(OwnerLink).insert({
      workspace_id: agencyId,
      token_hash: hash,
      user_id: owner.id,
      agency_id: agencyId,
      expires_at,
    })
    await auditOf(ctx).record({ agency_id: agencyId, action: 'person.owner_link_made', host: commandLine })
    return { agency_id: agencyId, owner_link: `${ctx.apiUrl}/app/link?token=${token}`, expires_at }
  },
})

/** One-time links as the pages use them: looking at one does not use it up. */
export function createOwnerLinks({ documents, clock }: { documents: Documents; clock: Clock }) {
  const rows = ownerRows(documents.collection(OwnerLink), OwnerLink, clock)
  const find = async (token: string): Promise<Row<typeof OwnerLink> | null> => {
    if (!isWellFormedToken(prefix, token)) return null
    const [row] = await rows.list({ where: where.eq('token_hash', await sha256Hex(token)), limit: 1 })
    return row && Date.parse(row.expires_at) > clock.now().getTime() ? row : null
  }
  return {
    find,
    /** Whom the link lets in, once: of two at the same time one. */
    async use(token: string): Promise<Row<typeof OwnerLink> | null> {
      const row = await find(token)
      return row && (await rows.removeWhere(where.eq('id', row.id))) === 1 ? row : null
    },
  }
}
