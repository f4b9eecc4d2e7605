/** @jsxImportSource ../jsx */
import { Row } from '../kit'
import { exactTime, usePageTime } from '../parts/moment'

interface FailedUpdateProps {
  readonly why: string
  readonly isBusy: boolean
  retry(): void
}

/** Says that new figures did not arrive, and how old the shown figures are. */
export function FailedUpdate({ why, isBusy, retry }: FailedUpdateProps) {
  const { timezone, now } = usePageTime()
  return (
    <div class="notice warn lost" role="alert">
      <h2>This page could not be updated</h2>
      <div>{`${why}${now === null ? '' : ` Showing data of ${exactTime(now, timezone)}.`}`}</div>
      <Row>
        <button type="button" class="button plain" onClick={retry} disabled={isBusy}>
          {isBusy ? 'Trying again…' : 'Retry'}
        </button>
      </Row>
    </div>
  )
}
