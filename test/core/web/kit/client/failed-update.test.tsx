/** @jsxImportSource ../../../../../core/web/kit/jsx */
import { expect, test } from 'bun:test'
import { TimeOf } from '../../../../../core/web/kit/browser/page-time'
import { FailedUpdate } from '../../../../../core/web/kit/client/failed-update'
import { LiveNotice } from '../../../../../core/web/kit/client/live-notice'
import { renderToString } from '../../../../../core/web/kit/jsx/render'

// Noon in UTC is past midnight in Auckland, so the day shows the zone too.
const auckland = { timezone: 'Pacific/Auckland', now: '2026-03-14T12:00:00.000Z' }
const shownTime = /Showing data of 15 Mar 2026,? (at )?01:00 (GMT\+13|NZDT)\./

test('a failed update says in the time zone of the workspace how old the data is', () => {
  const notice = <FailedUpdate why="The server answered 503." isBusy={false} retry={() => {}} />
  expect(renderToString(<TimeOf value={auckland}>{notice}</TimeOf>)).toMatch(shownTime)
})

test('lost live updates say in the time zone of the workspace how old the data is', () => {
  const notice = renderToString(
    <TimeOf value={auckland}>
      <LiveNotice state="lost" />
    </TimeOf>,
  )
  expect(notice).toMatch(shownTime)
})
