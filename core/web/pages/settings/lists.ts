import * as v from 'valibot'
import type { ListCell } from '../../../contracts/list'
import type { PageContext } from '../../../contracts/page'
import type { RangeListStatus } from '../../../contracts/traffic'
import { defineReading } from '../../../kit'
import { definePage } from '../../framework/define-page'
import { defineList } from '../../framework/lists/define-list-page'
import { frameWords } from '../../framework/words'

/** What the page shows besides its list. */
export interface ListsData {
  /** The mirror that the lists are fetched from. Empty if it is the operators themselves. */
  readonly mirror: string
  /** Whether this process has no ingest, and so no lists. */
  readonly isElsewhere: boolean
  readonly doubts: readonly string[]
  /** Why lists could not be renewed, with the number of lists. */
  readonly failures: readonly (readonly [why: string, count: number])[]
  readonly total: number
}

const states = {
  fresh: { badge: 'fresh', tone: 'good' },
  stale: { badge: 'stale', tone: 'warn' },
  unused: { badge: 'too old to use', tone: 'bad' },
  never_fetched: { badge: 'never fetched', tone: 'bad' },
} as const satisfies Record<RangeListStatus['status'], ListCell>

/** The operators' address lists, which verify hits. */
export const listsPage = definePage<ListsData>({
  path: '/app/lists',
  title: 'Address lists',
  only: 'owner',
  nav: { label: frameWords('navLists'), order: 81, group: 'settings' },
  module: new URL('./ListsPage.tsx', import.meta.url),
  list: defineList({
    rows: 'address lists',
    title: 'Lists',
    filters: {},
    source: (ctx) => ({
      list: async ({ skip, limit }) => (await rangesOf(ctx)).slice(skip, skip + limit),
      async *pages() {
        yield await rangesOf(ctx)
      },
    }),
    columns: () => [
      { label: 'Operator', name: 'operator', value: ({ operator }) => operator },
      { label: 'State', name: 'state', value: ({ status }) => status, show: ({ status }) => states[status] },
      {
        label: 'Last fetched',
        name: 'last_fetched',
        type: 'instant',
        value: ({ last_ok_at }) => last_ok_at,
        show: ({ last_ok_at }) => (last_ok_at === null ? 'never' : { at: last_ok_at }),
      },
      {
        label: 'Ranges',
        name: 'ranges',
        type: 'count',
        value: ({ prefixes }) => prefixes,
        show: ({ prefixes }) => prefixes.toLocaleString('en'),
      },
      {
        label: 'List',
        name: 'list',
        value: ({ url }) => url,
        show: ({ url }) => ({ quiet: url.replace('https://', '') }),
      },
    ],
    empty: () => 'Nothing yet.',
  }),
  async load(ctx) {
    const lists = await rangesOf(ctx)
    const failed = Map.groupBy(
      lists.filter(({ last_error }) => last_error !== null),
      ({ last_error }) => last_error ?? '',
    )
    return {
      mirror: withoutPassword(ctx.system.settings.RENOWN_RANGES_MIRROR),
      isElsewhere: ctx.counter === null,
      // An operator may have several lists, which are in doubt together.
      doubts: [...new Set(lists.flatMap(({ in_doubt }) => (in_doubt ? [in_doubt.why] : [])))],
      failures: [...failed].map(([why, { length }]) => [why, length] as const),
      total: lists.length,
    }
  },
  actions: {
    // The lists belong to the process, and no record has them.
    refresh: defineReading({
      input: v.strictObject({}),
      auth: 'session',
      done: 'Renown fetched every list. This is the current state.',
      async run({ counter }) {
        await counter?.refreshRanges()
        return {}
      },
    }),
  },
})

const rangesOf = async ({ counter }: PageContext): Promise<readonly RangeListStatus[]> =>
  (await counter?.ranges()) ?? []

/** Removes the name and the password from a mirror's address. */
function withoutPassword(text: string): string {
  const url = URL.parse(text)
  if (!url) return text === '' ? '' : 'an address that cannot be read'
  return `${url.origin}${url.pathname}`
}
