import * as v from 'valibot'
import { Refusal } from '../contracts/errors'
import type { OwnerContext } from '../contracts/plugin'
import { where } from '../kit'
import { Agency } from './Agency'
import { Workspace } from './Workspace'

/** The agency of a command. */
export const agencyInput = v.optional(
  v.pipe(v.string(), v.description('The agency. Can be left out if there is only one')),
)

/** Returns the named agency, or the only one. */
export async function agencyOf(ctx: OwnerContext, named: string | undefined): Promise<string> {
  const agencies = ctx.rows(Agency)
  if (named !== undefined) {
    if (await agencies.get(named)) return named
    throw new Refusal('not_found', `There is no agency ${named}.`)
  }
  const [first, ...others] = await agencies.list({ where: where.ne('is_demo', true), limit: 20 })
  if (!first) throw new Refusal('not_found', 'There is no agency yet.')
  if (others.length === 0) return first.id
  throw new Refusal('invalid_field', 'There are several agencies. Name one with --agency-id.', {
    errors: [
      {
        pointer: '/agency_id',
        code: 'required',
        message: 'required when there are several agencies',
        allowed: [first, ...others].map(({ id }) => id),
      },
    ],
  })
}

/** Returns the home workspace of an agency, which has the audit entries about the agency. */
export async function homeOf(
  ctx: Pick<OwnerContext, 'rows'>,
  { id }: { readonly id: string },
): Promise<string | undefined> {
  const home = where.and(where.eq('agency_id', id), where.eq('is_home', true))
  const [workspace] = await ctx.rows(Workspace).list({ where: home, limit: 1 })
  return workspace?.id
}
