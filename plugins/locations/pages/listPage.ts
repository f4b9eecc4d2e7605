import { everything, where } from 'renown'
import { actForm, defineList, definePage, listedRows, type PageContext } from 'renown/pages'
import { BusinessLocation, createLocation, typedIds } from 'renown/records'
import { addressOf, listPath } from '../addresses'
import { usedOf } from '../capacity'
import { ratingOf, stateOf } from '../cards/location-state'
import { type Location, locationCard } from '../contract'
import { locationWords } from '../words'

const named = (field: string, value: string) => ({ op: 'contains', field, value }) as const

/** The businesses of a workspace, as clients or prospects, with a form to add one. */
export const listPage = definePage({
  path: listPath,
  title: 'Business locations',
  nav: { label: locationWords('nav'), order: 10, icon: 'map-pin', group: 'setup' },
  module: new URL('./list.tsx', import.meta.url),
  list: defineList({
    rows: 'locations',
    filters: {
      view: {
        kind: 'views',
        label: 'Kinds of locations',
        options: [
          ['', 'Clients'],
          ['prospects', 'Prospects'],
        ],
      },
      find: { kind: 'find', label: 'Name, city or website' },
    },
    source: (ctx, { view, find }) =>
      listedRows(ctx, BusinessLocation, {
        where: where.and(
          where.eq('is_prospect', view === 'prospects'),
          find === ''
            ? everything
            : where.or(named('business_name', find), named('city', find), named('website', find)),
        ),
        sort: [{ field: 'business_name', direction: 'asc' }],
      }),
    more: (ctx, { view }, rows) => addedColumns(ctx, view, rows),
    // The state is in the second column, so that phones show it too.
    columns: ({ view }, added) => [
      { name: 'id', value: ({ id }) => id },
      {
        label: 'Name',
        name: 'name',
        value: ({ business_name }) => business_name,
        show: ({ business_name }) => ({ name: business_name }),
      },
      ...(view === 'prospects' ? [] : [{ label: 'State', show: stateOf }]),
      ...added.map(({ title, texts }) => ({
        label: title,
        name: title,
        value: ({ id }: Location) => texts.get(id) ?? null,
      })),
      { label: 'Rating', show: ratingOf },
      { name: 'rating', type: 'rating', value: ({ average_rating }) => average_rating ?? null },
      { name: 'reviews', type: 'count', value: ({ total_reviews }) => total_reviews ?? null },
      {
        label: 'Place',
        show: (row) => ({ capped: [row.city, row.country].filter(Boolean).join(', ') || '–' }),
      },
      { name: 'city', value: ({ city }) => city ?? null },
      { name: 'country', value: ({ country }) => country ?? null },
      {
        label: 'Website',
        name: 'website',
        value: ({ website }) => website ?? null,
        show: ({ website }) => ({ capped: website?.replace(/^https?:\/\//, '') || '–' }),
      },
      { name: 'is_active', value: ({ is_active }) => is_active },
    ],
    detail: ({ id }) => addressOf(id),
    empty: ({ view, find }) => {
      if (find !== '') return 'No location has this name.'
      return view === 'prospects'
        ? 'There are no prospects. A prospect is a business that you pitch to. Renown audits it and does no other work for it.'
        : 'You have no locations yet. Add the first one below.'
    },
  }),
  load: async (ctx) => ({
    used: await usedOf(ctx),
    ids: typedIds(ctx.system),
    mayAdd: ctx.person.role === 'owner' && !ctx.isDemo,
  }),
  submit: actForm(createLocation, 'added', {
    to: (_, word, { created = '' }) => `${addressOf(created)}&done=${word}`,
  }),
})

/** Returns the columns that plugins add to the list, with their texts by location. */
function addedColumns(ctx: PageContext, view: string, rows: readonly Location[]) {
  const kind = view === 'prospects' ? 'prospects' : 'clients'
  const ids = rows.map(({ id }) => id)
  const cards = ctx.system.extensions(locationCard).toSorted((a, b) => a.order - b.order)
  return Promise.all(
    cards
      .flatMap(({ column }) => (column?.of === kind ? [column] : []))
      .map(async ({ title, texts }) => ({ title, texts: await texts(ctx, ids) })),
  )
}
