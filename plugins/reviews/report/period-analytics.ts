import type { ReportScope, SectionContext } from 'renown/reports'
import { getReviewAnalytics } from '../operations/getReviewAnalytics'

/** Reads the figures of the reviews of a period and of the one before it. The sections of a report share them. */
export async function analyticsOf(
  { reads, once }: SectionContext,
  { location, period, previous }: ReportScope,
) {
  const read = ({ date_from, date_to }: ReportScope['period']) =>
    once(`reviews.analytics ${location.id} ${date_from} ${date_to}`, () =>
      getReviewAnalytics.run(reads, { location_id: location.id, date_from, date_to }),
    )
  return { now: await read(period), before: await read(previous) }
}
