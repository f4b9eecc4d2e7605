import { defineAct, defineCommand, field, Refusal, type Row, refusedField } from 'renown'
import { Agency, agencyOf, withAgencyLock } from 'renown/records'
import * as v from 'valibot'
import { type Capacity, capacityOf, overBy } from './capacity'

const { flag, integer, number, oneOf, text } = field

const agency_id = v.optional(text('The agency. Can be left out if there is only one'))

/** Shows how many locations an agency pays for, and how many it uses. */
export const showCapacity = defineCommand({
  name: 'agency capacity show',
  summary: 'Show how many locations an agency pays for, and what happens after its trials',
  input: v.strictObject({ agency_id }),
  positional: ['agency_id'],
  run: async (ctx, input) => shown(await capacityOf(ctx, await agencyOf(ctx, input.agency_id))),
})

/** Sets how many locations an agency pays for. A lower number deactivates no location. */
export const setCapacity = defineAct({
  name: 'agency capacity set',
  summary: 'Set how many locations an agency pays for, and what happens after its trials',
  on: {
    entity: Agency,
    field: 'agency_id',
    called: 'agency',
    inShell: {
      fields: { agency_id },
      find: async (ctx, given) =>
        ctx.rows(Agency).get(await agencyOf(ctx, given.agency_id as string | undefined)),
    },
  },
  fields: {
    paid: v.optional(integer('Number of paid locations', { min: 0, max: 1_000_000 })),
    none: v.optional(flag('Stop counting locations'), false),
    trials: v.optional(
      oneOf(['convert', 'end'], 'After its trial, a location becomes a paid one, or is deactivated'),
    ),
    charge: v.optional(
      number('Price of a location beyond paid capacity; trials show it', { min: 0, max: 1_000_000 }),
    ),
    charge_interval: v.optional(oneOf(['month', 'year'], 'How often the price is charged')),
  },
  isShellOnly: true,
  undo: 'agency capacity set',
  audit: {
    action: 'location.capacity',
    what: 'Paid capacity changed',
    subject: (_, __, input) => inWords(input),
  },
  async run(ctx, { row: { id }, input: { paid, none, trials, charge, charge_interval } }) {
    if (none && paid !== undefined) {
      throw new Refusal('invalid_field', 'Use either --paid or --none.', {
        errors: [{ pointer: '/none', code: 'exclusive', message: 'not with --paid' }],
      })
    }
    const changes: Partial<Row<typeof Agency>> = {
      ...(none ? { paid_capacity: undefined } : {}),
      ...(paid === undefined ? {} : { paid_capacity: paid }),
      ...(trials === undefined ? {} : { trials }),
      ...(charge === undefined ? {} : { location_charge_amount: charge }),
      ...(charge_interval === undefined ? {} : { location_charge_interval: charge_interval }),
    }
    if (Object.keys(changes).length === 0) throw refusedField('paid', 'Give what to set, such as --paid 10.')
    await withAgencyLock(ctx, id, () => ctx.rows(Agency).update(id, changes))
    return { answer: shown(await capacityOf(ctx, id)) }
  },
})

function shown(capacity: Capacity) {
  const { agency, paid, used, trialing, exempt } = capacity
  return {
    agency_id: agency.id,
    paid_capacity: paid,
    used,
    free: paid === null ? null : Math.max(0, paid - used),
    beyond: overBy(capacity),
    trialing,
    exempt,
    trials: agency.trials ?? 'convert',
    ...(agency.location_charge_amount === undefined
      ? {}
      : {
          charge: agency.location_charge_amount,
          charge_interval: agency.location_charge_interval ?? 'month',
        }),
  }
}

interface Said {
  readonly paid?: number | undefined
  readonly none: boolean
  readonly trials?: string | undefined
}

const inWords = ({ paid, none, trials }: Said): string =>
  [
    ...(none ? ['not counted'] : paid === undefined ? [] : [`${paid} paid for`]),
    ...(trials === undefined ? [] : [`trials ${trials}`]),
  ].join(', ') || 'charge'
