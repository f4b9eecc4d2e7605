import type { Row } from 'renown'
import type { BusinessLocation } from 'renown/records'

/** A business location, as its row is stored. */
export type BillingLocation = Row<typeof BusinessLocation>
