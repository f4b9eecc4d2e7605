import type { ActRecord } from '../../contracts/act'
import { defineAct, field, Refusal } from '../../kit'
import { BusinessLocation } from '../BusinessLocation'
import { activateOrSign, changed } from './change-status'
import { createLocation } from './create-location'
import { agencyIdOf, type LocationRow, ownLocation, withAgencyLock } from './find-location'
import { locationCapacity } from './location-capacity'
import { recountLocations } from './location-counts'
import { trialWanted } from './location-input'
import { publishStatus } from './publish-location'
import { updateLocation } from './update-location'

const onLocation: ActRecord<typeof BusinessLocation> = {
  entity: BusinessLocation,
  field: 'location_id',
  called: 'business location',
}

/** Activates a paused location, or a prospect that signed. */
export const activateLocation = defineAct({
  name: 'location activate',
  summary: 'Activate a location, within what the agency pays for; a prospect becomes a client',
  on: onLocation,
  fields: { trial: trialWanted },
  only: 'owner',
  label: 'Activate location',
  done: 'The location is active again.',
  undo: 'location deactivate',
  recordedByRun: ['location.activate', 'location.sign'],
  run: async (ctx, { row: { id }, input: { trial } }) => ({
    answer: await activateOrSign(ctx, id, 'activate', trial),
  }),
})

/** Turns a prospect into a client. */
export const signLocation = defineAct({
  name: 'location sign',
  summary: 'Make a prospect that signed a client, and start its work',
  on: onLocation,
  fields: { trial: trialWanted },
  only: 'owner',
  label: 'Sign location',
  done: 'It is a client now.',
  recordedByRun: ['location.sign'],
  run: async (ctx, { row: { id }, input: { trial } }) => ({
    answer: await activateOrSign(ctx, id, 'sign', trial),
  }),
})

/** Pauses a location: nothing is read or sent for it, and it does not use capacity. */
export const deactivateLocation = defineAct({
  name: 'location deactivate',
  summary: 'Pause a location: Renown keeps it, reads and sends nothing for it, and does not count it',
  on: onLocation,
  only: 'owner',
  label: 'Pause location',
  done: 'The location is paused.',
  undo: 'location activate',
  audit: {
    action: 'location.deactivate',
    what: 'Location deactivated',
    subject: (_, { business_name }) => business_name,
  },
  async run(ctx, { row: { id: location_id, workspace_id } }) {
    const agencyId = await agencyIdOf(ctx, workspace_id)
    const { before, after } = await withAgencyLock(ctx, agencyId, async () => {
      const before = await ownLocation(ctx, location_id)
      if (!before.is_active) return { before, after: before }
      if (before.trial_state === 'trialing') throw onTrial(before)
      await publishStatus(ctx, before, { ...before, is_active: false })
      const after = await changed(ctx, before, { is_active: false })
      await recountLocations(ctx, before.workspace_id)
      return { before, after }
    })
    const { is_active, is_prospect } = after
    return { answer: { location_id, is_active, is_prospect }, isChanged: before.is_active }
  },
})

const onTrial = ({ id, business_name, trial_end }: LocationRow) =>
  new Refusal(
    'conflict',
    `${business_name} is on trial until ${trial_end}. Deactivating it ends the trial.`,
    {
      hint: `\`location trial cancel ${id}\` ends the trial and deactivates the location. A business has only one trial.`,
    },
  )

/** Excludes a complimentary or internal location from capacity, or counts it again. */
export const exemptLocation = defineAct({
  name: 'location exempt',
  summary: 'Exempt a complimentary or internal location from capacity, or count it again',
  on: onLocation,
  fields: { exempt: field.oneOf(['on', 'off'], 'on: does not count. off: counts') },
  positional: ['exempt'],
  isShellOnly: true,
  undo: 'location exempt',
  audit: {
    action: { exempt: 'location.exempt', counted: 'location.count' },
    what: {
      exempt: 'Location exempted from capacity',
      counted: 'Location counted towards capacity again',
    },
    subject: (_, { business_name }) => business_name,
  },
  async run(ctx, { row: { id: location_id, workspace_id }, input: { exempt } }) {
    const agencyId = await agencyIdOf(ctx, workspace_id)
    const wanted = exempt === 'on'
    const isChanged = await withAgencyLock(ctx, agencyId, async () => {
      const before = await ownLocation(ctx, location_id)
      if ((before.billing_exempt === true) === wanted) return false
      if (!wanted) {
        for (const one of ctx.extensions(locationCapacity)) await one.admitCounted(ctx, agencyId, before)
      }
      await changed(ctx, before, { billing_exempt: wanted })
      return true
    })
    return {
      answer: { location_id, billing_exempt: wanted },
      isChanged,
      said: wanted ? 'exempt' : 'counted',
    }
  },
})

/** What owners and operators do with locations. */
export const locationActs = [
  createLocation,
  updateLocation,
  activateLocation,
  signLocation,
  deactivateLocation,
  exemptLocation,
]
