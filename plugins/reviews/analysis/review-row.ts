import type { Row } from 'renown'
import type { Review } from '../records/Review'

/** A review, as its row is stored. */
export type ReviewRow = Row<typeof Review>
