import { defineLocationCard } from 'renown/locations'
import type { Doubt } from 'renown/sources'
import { doubtOf } from '../evidence/doubt'
import { ReviewedLocation } from '../records/ReviewedLocation'

/** A card on the page of a location whose replies contradict what is stored. */
export const doubtCard = defineLocationCard<Doubt>({
  name: 'doubt',
  order: 1,
  module: new URL('./doubt-card.tsx', import.meta.url),
  async load({ rows }, { id }) {
    const location = await rows(ReviewedLocation).get(id)
    return location && doubtOf(location)
  },
})
