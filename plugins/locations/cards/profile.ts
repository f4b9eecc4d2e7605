import { runDeclared } from 'renown'
import {
  businessNameMax,
  platformIdsOf,
  profileLineMax,
  shownIds,
  typedIds,
  updateLocation,
} from 'renown/records'
import * as v from 'valibot'
import { defineLocationAction, defineLocationCard, type Location } from '../contract'
import { typed, typedIdFields } from './form-values'
import type { ProfileData } from './profile-card'
import { type ProfileField, profileFields } from './profile-fields'

const profileInput = Object.fromEntries(profileFields.map(([name, label]) => [name, typed(label)])) as Record<
  ProfileField,
  ReturnType<typeof typed>
>

const input = v.strictObject({ ...profileInput, ...typedIdFields })

/** The profile of the business, and a form that changes it. */
export const profile = defineLocationCard<ProfileData>({
  name: 'profile',
  order: 20,
  module: new URL('./profile-card.tsx', import.meta.url),
  load: async (ctx, location) => ({
    location,
    ids: shownIds(ctx, location),
    addedFrom: addedFrom(ctx, location),
    typedIds: typedIds(ctx.system),
    longest: { name: businessNameMax, line: profileLineMax },
  }),
  actions: {
    profile: defineLocationAction({
      input,
      done: 'The profile is saved.',
      async run({ owner }, location, sent) {
        const changes = changesOf(sent, location)
        if (Object.keys(changes).length === 0) return
        await runDeclared(updateLocation.command, owner, { location_id: location.id, ...changes })
      },
    }),
  },
})

/** Returns the sent values that differ from the stored ones. An unchanged field is not an edit. */
const changesOf = (sent: v.InferOutput<typeof input>, location: Location) =>
  Object.fromEntries(
    Object.keys(input.entries).flatMap((key) => {
      const name = key as keyof typeof input.entries
      const text = sent[name]?.trim()
      return text === undefined || text === (location[name] ?? '') ? [] : [[name, text]]
    }),
  )

/** Returns how a location was added, in words. Null if it is not known. */
function addedFrom(ctx: Parameters<typeof platformIdsOf>[0], { added_via: via }: Location): string | null {
  if (via === undefined) return null
  if (via === 'website') return 'its website'
  if (via === 'dfs_keyword') return 'a search'
  return platformIdsOf(ctx).find(({ added }) => added?.via === via)?.added?.from ?? null
}
