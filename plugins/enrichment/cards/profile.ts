import { type OwnerContext, refusedField, runDeclared } from 'renown'
import { defineLocationAction, defineLocationCard } from 'renown/locations'
import { sentenceAfter } from 'renown/pages'
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
      done: sentenceAfter(refreshEnrichment),
      async run({ owner }, { id: location_id }) {
        await runDeclared(refreshEnrichment.command, owner, { location_id })
      },
    }),
    correct: defineLocationAction({
      input: v.strictObject({ key: text, about: text, services: text, attributes: text }),
      done: sentenceAfter(overrideEnrichment, 'corrected'),
      run: ({ owner }, { id }, { key, ...texts }) => override(owner, id, correctionIn(key, texts)),
    }),
    'take-back': defineLocationAction({
      input: v.strictObject({ key: text }),
      done: sentenceAfter(overrideEnrichment, 'cleared'),
      run: ({ owner }, { id }, { key }) => override(owner, id, { clear: [keyOf(key)] }),
    }),
  },
})

interface Correction {
  readonly about?: string
  readonly services?: readonly string[]
  readonly attributes?: readonly string[]
  readonly clear?: readonly Key[]
}

async function override(owner: OwnerContext, location_id: string, correction: Correction): Promise<void> {
  await runDeclared(overrideEnrichment.command, owner, { location_id, ...correction })
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
