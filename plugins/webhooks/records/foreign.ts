import { field, foreignEntity, type Row } from 'renown'
import * as v from 'valibot'

/** An event in the log of a workspace. */
export const EventEntry = foreignEntity('EventEntry', {
  seq: field.integer('Position in the log of the workspace', { min: 1 }),
  type: field.text('What happened'),
  location_id: v.optional(field.text('Business location it is about')),
  entity: v.optional(field.text('Record type it is about')),
  entity_id: v.optional(field.text('That record')),
  data: field.anything('Ids and numbers'),
})
/** A stored event. */
export type EventRow = Row<typeof EventEntry>
