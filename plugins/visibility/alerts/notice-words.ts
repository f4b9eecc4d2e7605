import type { Row } from 'renown'
import { formatCount, formatDay } from 'renown/web'
import type { VisibilityTracker } from '../records/VisibilityTracker'
import type { VisibilityWatch } from '../records/VisibilityWatch'

type Change = NonNullable<Row<typeof VisibilityWatch>['change']>

/** The words of a notification about a change of the mention rate. */
export function noticeWords(
  { brand_name }: Pick<Row<typeof VisibilityTracker>, 'brand_name'>,
  { verdict, before, now, margin, common, baseline_from, baseline_until, until }: Change,
) {
  const isUp = verdict === 'up'
  const difference = Math.abs(now - before)
  const band = `${points(Math.max(0, difference - margin))} to ${points(difference + margin)} points`
  return {
    title: `AI assistants name ${brand_name} ${isUp ? 'more' : 'less'} often`,
    body: [
      `The mention rate went ${isUp ? 'up' : 'down'} from ${percent(before)} to ${percent(now)} since ${formatDay(baseline_until)}.`,
      `With 95 % confidence, the ${isUp ? 'rise' : 'fall'} is ${band}, however often Renown looked.`,
      `It compares the answers after ${formatDay(baseline_until)} and up to ${formatDay(until)} with those from ${formatDay(baseline_from)} to ${formatDay(baseline_until)}.`,
      `Both periods have ${formatCount(common, 'pair')} of prompt and assistant in common.`,
    ].join(' '),
  }
}

const points = (share: number) => (Math.round(share * 1000) / 10).toString()
const percent = (share: number) => `${Math.round(share * 1000) / 10} %`
