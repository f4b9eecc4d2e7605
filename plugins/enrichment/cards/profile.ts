import { type OwnerContext, refusedField, runDeclared } from 'renown'
import { defineLocationAction, defineLocationCard } from 'renown/locations'
import { effectiveProfile } from 'renown/records'
import * as v from 'valibot'
import { overrideEnrichment, refreshEnrichment } from '../work/commands'
import type { ProfileCardData } from './profile-card'

const text = v.optional(v.string(), '')

/** A card with the profile of a business. Its forms correct the profile and read it again. */
export const profileCard = defineLocationCard<ProfileCardData>({
  name: 'enrichment',
  order: 40,
  module: new URL('./profile-card.tsx', import.meta.url),
  load: async (_, location) => ({ location, holds: effectiveProfile(location) }),
  actions: {
    refresh: defineLocationAction({
      input: v.strictObject({}),
      done: 'Renown is reading the profile again, which takes a moment. The stored profile stays until then.',
      async run({ owner }, { id: location_id }) {
        await runDeclared(refreshEnrichment, owner, { location_id })
      },
    }),
    correct: defineLocationAction({
      input: v.strictObject({ key: text, about: text, services: text, attributes: text }),
      done: 'Your edit is saved and replaces the imported value.',
      run: ({ owner }, { id }, { key, ...texts }) => override(owner, id, correctionIn(key, texts)),
    }),
    'take-back': defineLocationAction({
      input: v.strictObject({ key: text }),
      done: 'Your edit was removed. The imported value is used again.',
      run: ({ owner }, { id }, { key }) => override(owner, id, { clear: [keyOf(key)] }),
    }),
  },
})

type Correction = Omit<v.InferInput<typeof overrideEnrichment.input>, 'location_id'>

async function override(owner: OwnerContext, location_id: string, correction: Correction): Promise<void> {
  await runDeclared(overrideEnrichment, owner, { location_id, ...correction })
}

const keys = ['about', 'services', 'attributes'] as const
type Key = (typeof keys)[number]

function keyOf(given: string): Key {
  const key = keys.find((each) => each === given)
  if (key) return key
  throw refusedField('key', 'about, services or attributes')
}

/** Browsers send line breaks as two characters. */
const linesOf = (text: string) => text.replaceAll('\r\n', '\n')

function correctionIn(given: string, texts: Readonly<Record<Key, string>>): Correction {
  const key = keyOf(given)
  const text = linesOf(texts[key])
  if (key === 'about') {
    if (text.trim() !== '') return { about: text.trim() }
    throw refusedField(key, 'Enter a value, or remove your edit.')
  }
  const lines = text.split('\n').map((line) => line.trim())
  return { [key]: [...new Set(lines.filter(Boolean))] }
}
