import type { Row } from 'renown'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import type { VisibilityWatch } from '../records/VisibilityWatch'
import { visibilityWords } from '../words'

type Change = NonNullable<Row<typeof VisibilityWatch>['change']>

/** The words about a change of the mention rate, for the inbox and a notification. `body` is a list of sentences. */
export function noticeWords(
  { brand_name }: Pick<Row<typeof VisibilityTracker>, 'brand_name'>,
  { verdict, before, now, margin, common, baseline_from, baseline_until, until }: Change,
) {
  const isUp = verdict === 'up'
  const difference = Math.abs(now - before)
  const band = { low: percent(Math.max(0, difference - margin)), high: percent(difference + margin) }
  const rates = { before: percent(before), now: percent(now), day: { day: baseline_until } }
  return {
    title: visibilityWords(isUp ? 'namedMore' : 'namedLess', { brand: brand_name }),
    body: [
      visibilityWords(isUp ? 'rateUp' : 'rateDown', rates),
      visibilityWords(isUp ? 'riseIs' : 'fallIs', band),
      visibilityWords('compares', {
        start: { day: baseline_from },
        end: { day: baseline_until },
        until: { day: until },
      }),
      visibilityWords('inCommon', { count: common }),
    ],
  }
}

/** A share as a percentage, or as percentage points, with one decimal. */
const percent = (share: number) => Math.round(share * 1000) / 10
