import { runDeclared } from 'renown'
import { sentenceAfter } from 'renown/pages'
import { activateLocation, deactivateLocation, locationCapacity, signLocation } from 'renown/records'
import * as v from 'valibot'
import { usedOf } from '../capacity'
import { defineLocationAction, defineLocationCard } from '../contract'
import { trialIn, typed } from './form-values'
import type { StateData } from './state-card'

const none = v.strictObject({})
const mayTry = v.strictObject({ trial: typed('`yes` begins with a trial') })

/** The card of the state, with the forms that change it. */
export const state = defineLocationCard<StateData>({
  name: 'state',
  order: 30,
  module: new URL('./state-card.tsx', import.meta.url),
  load: async (ctx, location) => ({ location, used: await usedOf(ctx) }),
  actions: {
    sign: defineLocationAction({
      input: mayTry,
      done: sentenceAfter(signLocation),
      async run({ owner }, { id: location_id }, { trial }) {
        await runDeclared(signLocation.command, owner, { location_id, ...trialIn(trial) })
      },
    }),
    activate: defineLocationAction({
      input: mayTry,
      done: sentenceAfter(activateLocation),
      async run({ owner }, { id: location_id }, { trial }) {
        await runDeclared(activateLocation.command, owner, { location_id, ...trialIn(trial) })
      },
    }),
    rest: defineLocationAction({
      input: none,
      done: sentenceAfter(deactivateLocation),
      async run({ owner }, { id: location_id }) {
        await runDeclared(deactivateLocation.command, owner, { location_id })
      },
    }),
    trial: defineLocationAction({
      input: none,
      done: 'Its trial has started.',
      async run({ owner }, { id: location_id }) {
        for (const one of owner.extensions(locationCapacity)) await one.startTrial(owner, location_id)
      },
    }),
    cancel: defineLocationAction({
      input: none,
      done: 'The trial is over. The location is paused.',
      async run({ owner }, { id: location_id }) {
        for (const one of owner.extensions(locationCapacity)) await one.cancelTrial(owner, location_id)
      },
    }),
  },
})
