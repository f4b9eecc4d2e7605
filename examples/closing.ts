import { defineCommand, defineEntity, definePlugin, field, Refusal, requireRow, where } from 'renown'
import type { ProposableChange } from 'renown/pages'
import * as v from 'valibot'

/** The parking spaces of a business. */
export const Parking = defineEntity({
  name: 'Parking',
  summary: 'Parking spaces of a business',
  idPrefix: 'prk',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    location_id: field.text('Business that has them'),
    is_open: field.flag('Whether guests may use it'),
  },
  sortable: ['created_date'],
})

const proposedClosing: ProposableChange<v.GenericSchema<unknown, { readonly parking_id: string }>> = {
  label: 'Close parking',
  takes: ['parking_id'],
  async prepare(ctx, input) {
    const parking = await requireRow(ctx.rows(Parking), 'parking', input.parking_id)
    if (!parking.is_open) throw new Refusal('conflict', 'The parking is closed.')
    return {
      input,
      basis: parking.updated_date,
      record: { entity: 'Parking', id: parking.id },
      title: 'Close the parking',
      effect: 'Closes the parking for guests.',
      href: '/app/locations',
    }
  },
  async run(ctx, { input, basis }) {
    const unchanged = where.and(where.eq('id', input.parking_id), where.eq('updated_date', basis))
    const closed = await ctx.rows(Parking).updateWhere(unchanged, { is_open: false })
    if (!closed) throw new Refusal('conflict', 'The parking changed.')
  },
}

/** Closes a parking. Agents can only propose it. */
export const closeParking = defineCommand({
  name: 'parking close',
  summary: 'Close a parking',
  input: v.strictObject({ parking_id: field.text('Id of the parking') }),
  positional: ['parking_id'],
  proposal: proposedClosing,
  async run(ctx, { parking_id }) {
    await requireRow(ctx.rows(Parking), 'parking', parking_id)
    await ctx.rows(Parking).updateWhere(where.eq('id', parking_id), { is_open: false })
    return { parking_id }
  },
})

export default definePlugin({
  name: 'closing',
  renown: '^1.0.0',
  needs: ['tenancy'],
  entities: [Parking],
  commands: [closeParking],
})
