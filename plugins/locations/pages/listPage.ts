import { everything, refuseOthers, runDeclared, type Where, where } from 'renown'
import { defineAction, defineAppPage, type FileTable, fileColumns, type PageContext } from 'renown/pages'
import { BusinessLocation, createLocation, typedIds } from 'renown/records'
import * as v from 'valibot'
import { addressOf, listPath } from '../addresses'
import { usedOf } from '../capacity'
import { trialIn, typed, typedIdFields } from '../cards/form-values'
import { type Location, locationCard } from '../contract'
import { locationWords } from '../words'
import type { ListData, ListFilters } from './list'

const shownMax = 100

/** The businesses of a workspace, as clients or prospects, with a form to add one. */
export const listPage = defineAppPage<ListData>({
  path: listPath,
  title: 'Business locations',
  nav: { label: locationWords('nav'), order: 10, icon: 'map-pin', group: 'setup' },
  module: new URL('./list.tsx', import.meta.url),
  isStatic: true,
  async load(ctx, query) {
    const asked = askedOf(query)
    const [found, used] = await Promise.all([rowsOf(ctx, asked), usedOf(ctx)])
    const rows = found.slice(0, shownMax)
    return {
      asked,
      rows,
      used,
      hasMore: found.length > shownMax,
      columns: await columnsOf(ctx, asked, rows),
      ids: typedIds(ctx.system),
      mayAdd: ctx.person.role === 'owner' && !ctx.isDemo,
    }
  },
  download: downloadLocations,
  submit: defineAction({
    input: v.strictObject({
      name: typed('Name'),
      website: typed('Website'),
      ...typedIdFields,
      kind: typed('`client` or `prospect`'),
      trial: typed('`yes` begins with a trial'),
    }),
    auth: 'session',
    only: 'owner',
    refusesDemo: true,
    async run({ owner, workspace }, { name = '', website = '', kind, trial, ...ids }) {
      const made = await runDeclared(createLocation, owner, {
        business_name: name,
        workspace_id: workspace.id,
        ...(website.trim() === '' ? {} : { website }),
        ...Object.fromEntries(
          Object.entries(ids).flatMap(([field, text = '']) =>
            text.trim() === '' ? [] : [[field, text.trim()]],
          ),
        ),
        ...(kind === 'prospect' ? { prospect: true } : {}),
        ...trialIn(trial),
      })
      return { to: `${addressOf(String(made.location_id))}&done=added` }
    },
  }),
})

function askedOf(query: URLSearchParams): ListFilters {
  const at = Number.parseInt(query.get('at') ?? '1', 10)
  return {
    prospects: query.get('view') === 'prospects',
    find: (query.get('find') ?? '').trim().slice(0, 200),
    at: at >= 1 && at <= 10_000 ? at : 1,
  }
}

/** Returns the condition for the filters in the address. */
function listedWhere({ prospects, find }: Pick<ListFilters, 'prospects' | 'find'>): Where {
  const named = (field: string) => ({ op: 'contains', field, value: find }) as const
  return where.and(
    where.eq('is_prospect', prospects),
    find === '' ? everything : where.or(named('business_name'), named('city'), named('website')),
  )
}

/** Returns all locations of the list, with the columns that plugins add. */
async function downloadLocations(ctx: PageContext, query: URLSearchParams): Promise<FileTable> {
  refuseOthers(query, 'view', ['prospects'])
  const asked = askedOf(query)
  const titles = (await columnsOf(ctx, asked, [])).map(({ title }) => title)
  const pages = ctx.rows(BusinessLocation).pages({ where: listedWhere(asked), size: shownMax })
  return {
    columns: [
      ...fileColumns({ id: null, name: null }),
      ...titles.map((name) => ({ name })),
      ...fileColumns({ rating: 'rating', reviews: 'count', city: null, country: null, website: null }),
      ...fileColumns({ is_active: null }),
    ],
    rows: (async function* () {
      for await (const rows of pages) {
        const columns = await columnsOf(ctx, asked, rows)
        yield* rows.map((row) => [
          row.id,
          row.business_name,
          ...columns.map(({ texts }) => texts[row.id] ?? null),
          row.average_rating ?? null,
          row.total_reviews ?? null,
          row.city ?? null,
          row.country ?? null,
          row.website ?? null,
          row.is_active,
        ])
      }
    })(),
  }
}

/** Reads one row more than the page shows, to know whether there are more. */
function rowsOf(ctx: PageContext, { prospects, find, at }: ListFilters): Promise<Location[]> {
  return ctx.rows(BusinessLocation).list({
    where: listedWhere({ prospects, find }),
    sort: [{ field: 'business_name', direction: 'asc' }],
    skip: (at - 1) * shownMax,
    limit: shownMax + 1,
  })
}

/** The columns that plugins add to the list, with their texts by location. */
function columnsOf(ctx: PageContext, { prospects }: ListFilters, rows: readonly Location[]) {
  const kind = prospects ? 'prospects' : 'clients'
  const ids = rows.map(({ id }) => id)
  const cards = ctx.system.extensions(locationCard).toSorted((a, b) => a.order - b.order)
  return Promise.all(
    cards
      .flatMap(({ column }) => (column?.of === kind ? [column] : []))
      .map(async ({ title, texts }) => ({ title, texts: Object.fromEntries(await texts(ctx, ids)) })),
  )
}
