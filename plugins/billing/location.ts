import type { BusinessLocation, Row } from 'renown'

/** A business location, as its row is stored. */
export type BillingLocation = Row<typeof BusinessLocation>
