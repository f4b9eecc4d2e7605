import { definePage, sentenceAfter } from 'renown/pages'
import { BusinessLocation, createLocation } from 'renown/records'
import { onePath } from '../addresses'
import { locationCard } from '../contract'
import type { OneData } from './one'

/** The page of a location. Plugins add cards with their data. */
export const onePage = definePage<typeof BusinessLocation, OneData>({
  path: onePath,
  title: 'Business location',
  module: new URL('./one.tsx', import.meta.url),
  isStatic: true,
  record: { entity: BusinessLocation, param: 'location' },
  cards: locationCard,
  titleOf: ({ location }) => location.business_name,
  async load(_, __, { row, mayChange }) {
    const { id, business_name, is_prospect, is_active, trial_state, trial_end } = row
    return { location: { id, business_name, is_prospect, is_active, trial_state, trial_end }, mayChange }
  },
  notices: { added: sentenceAfter(createLocation) },
})
