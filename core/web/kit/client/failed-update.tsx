/** @jsxImportSource ../jsx */
import { exactTime } from '../../../kit/page-locale'
import { usePageTime } from '../browser/page-time'
import { Row } from '../parts/kit'
import { usePageLanguage, usePartWords } from '../parts/language'

interface FailedUpdateProps {
  readonly why: string
  readonly isBusy: boolean
  retry(): void
}

/** Says that new figures did not arrive, and how old the shown figures are. */
export function FailedUpdate({ why, isBusy, retry }: FailedUpdateProps) {
  const { timezone, now } = usePageTime()
  const words = usePartWords()
  const { lang } = usePageLanguage()
  const age = now === null ? '' : words('dataOf', { time: exactTime(now, timezone, lang) })
  return (
    <div class="notice warn lost" role="alert">
      <h2>{words('notUpdated')}</h2>
      <div>{`${why} ${age}`.trim()}</div>
      <Row>
        <button type="button" class="button plain" onClick={retry} disabled={isBusy}>
          {words(isBusy ? 'retrying' : 'retry')}
        </button>
      </Row>
    </div>
  )
}
