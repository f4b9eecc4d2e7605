import type { Row } from 'renown'
import type { VisibilityTracker } from './VisibilityTracker'

/** Returns the first day on which a tracker asks again, if its stop rule holds today. Null if it asks. */
export const stoppedUntil = (
  { sure_until }: Pick<Row<typeof VisibilityTracker>, 'sure_until'>,
  today: string,
): string | null => (sure_until !== undefined && sure_until > today ? sure_until : null)
