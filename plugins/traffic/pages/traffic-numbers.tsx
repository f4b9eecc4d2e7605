/** @jsxImportSource renown/web */
import { formatChange, formatNumber } from 'renown/web'
import type { Figure } from './comparedTraffic'
import type { TrafficData } from './traffic-data'

/** Shows the figures, each with its change since the previous period. */
export function Numbers({ data: { figures, asked } }: { readonly data: TrafficData }) {
  const { crawled, answers, verified, spoofed, unchecked, signed, visits } = figures
  const isFloor = asked.page !== null
  return (
    <dl class="numbers">
      <NumberCell name="Crawler hits" figure={crawled} atLeast={isFloor} />
      <NumberCell
        name="To answer people"
        figure={answers}
        of={isFloor ? undefined : crawled}
        atLeast={isFloor}
      />
      <NumberCell name="Verified" figure={verified} of={crawled} note={signedNote(signed?.now ?? 0)} />
      <NumberCell name="Unchecked" figure={unchecked} of={crawled} />
      <NumberCell name="Spoofed" figure={spoofed} of={crawled} isBad />
      <NumberCell name="Visits from assistants" figure={visits} atLeast isGood />
    </dl>
  )
}

/** Returns how many verified hits were signed. Empty if none was, as on most sites. */
const signedNote = (signed: number) => (signed > 0 ? `${formatNumber(signed)} by signature` : '')

interface NumberProps {
  readonly name: string
  /** Null if daily rows do not support the filter for it. */
  readonly figure: Figure | null
  /** The figure that this one is a part of. */
  readonly of?: Figure | undefined
  readonly atLeast?: boolean
  /** What else to say below the figure. */
  readonly note?: string
  /** Whether a rise is good, or bad. Left out if it is neither. */
  readonly isGood?: boolean
  readonly isBad?: boolean
}

/** Shows a figure in four grid rows that all figures share, so that their parts are aligned. */
function NumberCell({ name, figure, of, atLeast, note = '', isGood, isBad }: NumberProps) {
  const share = figure && of && of.now > 0 ? `${Math.round((figure.now / of.now) * 100)} % of hits` : null
  return (
    <div class="number">
      <dt>{name}</dt>
      <dd class="big">
        {figure === null ? (
          '–'
        ) : (
          <>
            {atLeast && figure.now > 0 && <small>≥ </small>}
            {formatNumber(figure.now)}
          </>
        )}
      </dd>
      <dd>{figure && <Change figure={figure} isGood={isGood} isBad={isBad} />}</dd>
      <dd class="hint">
        {figure === null ? 'not available with this filter' : [share, note].filter(Boolean).join(', ')}
      </dd>
    </div>
  )
}

interface ChangeProps {
  readonly figure: Figure
  readonly isGood?: boolean | undefined
  readonly isBad?: boolean | undefined
}

/**
 * Shows the change of a figure in words, with a color if a rise is good or bad. Empty if there is nothing to
 * compare.
 */
export function Change({ figure, isGood, isBad }: ChangeProps) {
  if (figure.before === null) return null
  const { text, trend } = formatChange(figure.whole, figure.before)
  const isJudged = (isGood || isBad) && (trend === 'up' || trend === 'down')
  const tone = !isJudged ? '' : (trend === 'up') === (isGood === true) ? 'up' : 'down'
  return (
    <span class={`change ${tone}`}>
      {text}
      <span class="unseen">
        , {figure.whole === figure.now ? '' : `${formatNumber(figure.whole)} on whole days `}against{' '}
        {formatNumber(figure.before)} {figure.whole === figure.now ? 'in' : 'on the same days of'} the period
        before
      </span>
    </span>
  )
}
