import { where } from 'renown'
import type { HomeCard, PageContext } from 'renown/pages'
import { BusinessLocation } from 'renown/records'

const countOf = (ctx: PageContext) => ctx.rows(BusinessLocation).count(where.eq('is_prospect', false))

/** How many locations the workspace has. */
const locations: HomeCard = {
  name: 'locations',
  title: 'Business locations',
  href: '/app/locations',
  link: 'All locations',
  order: 10,
  async load(ctx) {
    const count = await countOf(ctx)
    const text = count === 0 ? 'None yet.' : 'Each review and each website belongs to one.'
    return { figure: String(count), text, state: 'info' }
  },
}

/** The first location, as a step of the set-up. */
const firstLocation: HomeCard = {
  name: 'first-location',
  title: 'Add a business location',
  href: '/app/locations',
  order: 90,
  load: async (ctx) => ({
    text: 'Reviews and websites belong to a location.',
    state: (await countOf(ctx)) > 0 ? 'done' : 'todo',
  }),
}

/** The home cards about locations. */
export const homeCards = [locations, firstLocation]
