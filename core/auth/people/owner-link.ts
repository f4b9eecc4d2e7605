import { ownerRows } from '../../contexts/owner'
import type { Row } from '../../contracts/entity'
import { Refusal } from '../../contracts/errors'
import type { OwnerRows } from '../../contracts/plugin'
import { where } from '../../contracts/where'
import { dayMs, defineAct } from '../../kit'
import type { Clock } from '../../process/clock'
import { isWellFormedToken, mintToken, sha256Hex } from '../../process/crypto'
import type { Documents } from '../../stores/documents/port'
import { onAgency } from '../../tenancy/named-agency'
import { User } from '../../tenancy/User'
import type { Person } from '../sessions'
import { OwnerLink } from './OwnerLink'

const prefix = 'rnw_link_'
const lastsMs = dayMs

/** Lets an owner who cannot sign in choose a new password. */
export const ownerLink = defineAct({
  name: 'owner link create',
  summary:
    "Makes a link that lets an agency's owner in once, within 24 hours, to choose a password. Earlier links end",
  on: onAgency,
  secrets: ['owner_link'],
  isShellOnly: true,
  audit: { action: 'person.owner_link_made', what: 'Owner link made' },
  async run(ctx, { row: { id: agency_id } }) {
    const owners = where.and(
      where.eq('agency_id', agency_id),
      where.eq('is_active', true),
      where.eq('role', 'owner'),
    )
    const oldest = [{ field: 'created_date', direction: 'asc' }] as const
    const [owner] = await ctx.rows(User).list({ where: owners, sort: oldest, limit: 1 })
    if (!owner) throw new Refusal('not_found', `Nobody in the agency ${agency_id} can sign in.`)
    const { token, expires_at } = await replaceLink(ctx.rows(OwnerLink), owner, ctx.now())
    return { answer: { agency_id, owner_link: `${ctx.apiUrl}/app/link?token=${token}`, expires_at } }
  },
})

/** Creates a sign-in link for a person and ends earlier ones. */
export async function replaceLink(rows: OwnerRows<typeof OwnerLink>, { id, agency_id }: Person, now: Date) {
  const { token, hash } = await mintToken(prefix)
  const expires_at = new Date(now.getTime() + lastsMs).toISOString()
  await rows.removeWhere(where.eq('user_id', id))
  await rows.insert({ workspace_id: agency_id, token_hash: hash, user_id: id, agency_id, expires_at })
  return { token, expires_at }
}

/** One-time links for the pages. Opening a link does not use it up. */
export function createOwnerLinks({ documents, clock }: { documents: Documents; clock: Clock }) {
  const rows = ownerRows(documents.collection(OwnerLink), OwnerLink, clock)
  const find = async (token: string): Promise<Row<typeof OwnerLink> | null> => {
    if (!isWellFormedToken(prefix, token)) return null
    const [row] = await rows.list({ where: where.eq('token_hash', await sha256Hex(token)), limit: 1 })
    return row && Date.parse(row.expires_at) > clock.now().getTime() ? row : null
  }
  return {
    find,
    make: (person: Person) => replaceLink(rows, person, clock.now()),
    end: (person: Person) => rows.removeWhere(where.eq('user_id', person.id)),
    /** Uses the link and returns its person. If two requests use it at the same time, only one gets it. */
    async use(token: string): Promise<Row<typeof OwnerLink> | null> {
      const row = await find(token)
      return row && (await rows.removeWhere(where.eq('id', row.id))) === 1 ? row : null
    },
  }
}
