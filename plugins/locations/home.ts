import { where } from 'renown'
import type { HomeCard } from 'renown/pages'
import { BusinessLocation } from 'renown/records'

/** The first location, as a step of the set-up. */
const firstLocation: HomeCard = {
  name: 'first-location',
  title: 'Add a business location',
  href: '/app/locations',
  order: 90,
  load: async (ctx) => ({
    text: 'Reviews and websites belong to a location.',
    state: (await ctx.rows(BusinessLocation).count(where.eq('is_prospect', false))) > 0 ? 'done' : 'todo',
  }),
}

/** The home card about locations. */
export const homeCards = [firstLocation]
