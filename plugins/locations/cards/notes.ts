import { field, runDeclared } from 'renown'
import { updateLocation } from 'renown/records'
import * as v from 'valibot'
import { defineLocationAction, defineLocationCard, type Location } from '../contract'
import { linesOf, typed } from './form-values'

/** The card of notes, and of whether the business is online only. */
export const notes = defineLocationCard<Location>({
  name: 'notes',
  order: 50,
  module: new URL('./notes-card.tsx', import.meta.url),
  load: async (_, location) => location,
  actions: {
    notes: defineLocationAction({
      input: v.strictObject({
        online_only: field.oneOf(['yes', 'no', 'inferred'], 'Online only'),
        notes: typed('Notes about the business'),
      }),
      done: 'It is saved.',
      async run({ owner }, { id, manual_notes }, { online_only, notes }) {
        const text = notes === undefined ? undefined : linesOf(notes).trim()
        const isNew = text !== undefined && text !== (manual_notes ?? '')
        await runDeclared(updateLocation.command, owner, {
          location_id: id,
          online_only,
          ...(isNew ? { notes: text } : {}),
        })
      },
    }),
  },
})
