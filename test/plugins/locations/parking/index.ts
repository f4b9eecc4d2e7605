import { defineEntity, definePlugin, field, where } from 'renown'
import { defineLocationAction, locationCard } from 'renown/locations'
import { homeCard } from 'renown/pages'
import * as v from 'valibot'

export const Parking = defineEntity({
  name: 'Parking',
  summary: 'Parking spaces of a business',
  idPrefix: 'prk',
  store: 'documents',
  scope: { by: 'location', field: 'location_id' },
  reads: ['list', 'get'],
  people: 'nobody',
  fields: {
    location_id: field.text('The business'),
    spaces: field.integer('Parking spaces', { min: 0 }),
  },
  sortable: [],
  indexes: [{ on: ['location_id'], unique: true }],
})

const spaces = v.pipe(v.string(), v.regex(/^\d{1,4}$/, 'Enter a number, such as 12.'), v.transform(Number))

export default definePlugin({
  name: 'parking',
  renown: '^1.0.0',
  needs: ['locations'],
  entities: [Parking],
  provides: [
    locationCard.with({
      name: 'parking',
      order: 65,
      module: new URL('./parking-card.tsx', import.meta.url),
      async load(ctx, { id }) {
        const [parking] = await ctx.rows(Parking).list({ where: where.eq('location_id', id), limit: 1 })
        return { spaces: parking?.spaces ?? null }
      },
      actions: {
        'set-parking': defineLocationAction({
          input: v.strictObject({ spaces }),
          done: 'The parking spaces are saved.',
          async run({ owner }, { id, workspace_id }, { spaces }) {
            const rows = owner.rows(Parking)
            const known = await rows.updateWhere(where.eq('location_id', id), { spaces })
            if (!known) await rows.insert({ location_id: id, workspace_id, spaces })
          },
        }),
      },
    }),
    homeCard.with({
      name: 'parking',
      title: 'Parking',
      href: '/app/locations',
      order: 60,
      async load(ctx) {
        const count = await ctx.rows(Parking).count()
        if (count === 0) return null
        return { figure: String(count), text: 'Locations with parking spaces.', state: 'info' }
      },
    }),
  ],
})
