import { type Row, where } from 'renown'
import { SyncStatus } from 'renown/records'
import { defineLocationCard } from '../contract'

const shownMax = 100

/** The card of the last sync of each source. */
export const readings = defineLocationCard<readonly Row<typeof SyncStatus>[]>({
  name: 'readings',
  order: 70,
  module: new URL('./readings-card.tsx', import.meta.url),
  load: ({ system }, { id }) =>
    system.rows(SyncStatus).list({
      where: where.eq('location_id', id),
      sort: [
        { field: 'kind', direction: 'asc' },
        { field: 'source', direction: 'asc' },
      ],
      limit: shownMax,
    }),
})
