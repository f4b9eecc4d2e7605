import type { BusinessLocation, Row } from 'renown'

/** A business location, as its row is stored. */
export type Location = Row<typeof BusinessLocation>
