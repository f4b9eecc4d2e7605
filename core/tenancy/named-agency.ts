import * as v from 'valibot'
import type { ActRecord } from '../contracts/act'
import type { Row } from '../contracts/entity'
import { Refusal } from '../contracts/errors'
import type { OwnerContext } from '../contracts/plugin'
import { where } from '../kit'
import { Agency } from './Agency'

/** The agency of a command. */
export const agencyInput = v.optional(
  v.pipe(v.string(), v.description('The agency. Can be left out if there is only one')),
)

/** The agency of an act: that of the person, and in the shell the named one, or the only one. */
export const onAgency: ActRecord<typeof Agency> = {
  entity: Agency,
  field: 'agency_id',
  called: 'agency',
  inShell: {
    fields: { agency_id: agencyInput },
    areOptions: true,
    find: (ctx, { agency_id }) => namedAgency(ctx, agency_id as string | undefined),
  },
  ofPerson: ({ person }) => person.agency_id,
}

/** Returns the id of the named agency, or of the only one. */
export const agencyOf = async (ctx: OwnerContext, named: string | undefined): Promise<string> =>
  (await namedAgency(ctx, named)).id

async function namedAgency(ctx: OwnerContext, named: string | undefined): Promise<Row<typeof Agency>> {
  const agencies = ctx.rows(Agency)
  if (named !== undefined) {
    const agency = await agencies.get(named)
    if (agency) return agency
    throw new Refusal('not_found', `There is no agency ${named}.`)
  }
  const [first, ...others] = await agencies.list({ where: where.ne('is_demo', true), limit: 20 })
  if (!first)
    throw new Refusal('not_found', 'There is no agency yet.', {
      hint: 'Create one with `renown agency create`.',
    })
  if (others.length === 0) return first
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
