import { field, runDeclared } from 'renown'
import { defineLocationAction, defineLocationCard } from 'renown/locations'
import { updateLocation } from 'renown/records'
import * as v from 'valibot'
import { AutoResponseRules } from '../records/AutoResponseRules'
import type { RepliesData } from './replies-card'

/** The card of automatic replies, with a form that turns them on or off. */
export const repliesCard = defineLocationCard<RepliesData>({
  name: 'replies',
  order: 60,
  module: new URL('./replies-card.tsx', import.meta.url),
  async load({ system, workspace }, { is_prospect, auto_response_enabled }) {
    if (is_prospect) return null
    const rules = await system.rows(AutoResponseRules).get(workspace.agency_id)
    return { isOn: auto_response_enabled, rules }
  },
  actions: {
    replies: defineLocationAction({
      input: v.strictObject({ on: v.optional(field.oneOf(['on', 'off'], 'Send automatic replies'), 'off') }),
      done: 'The setting for automatic replies is saved.',
      async run({ owner }, { id: location_id }, { on }) {
        await runDeclared(updateLocation.command, owner, { location_id, auto_response: on })
      },
    }),
  },
})
