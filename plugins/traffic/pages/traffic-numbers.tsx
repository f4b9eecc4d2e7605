/** @jsxImportSource renown/web */
import { formatChange, formatNumber } from 'renown/web'
import type { Figure } from './comparedTraffic'
import type { TrafficData } from './loadTraffic'

/** The figures, each with its change from the previous period. */
export function Numbers({ data: { figures, asked } }: { readonly data: TrafficData }) {
  const { crawled, answers, verified, spoofed, unchecked, visits } = figures
  const isFloor = asked.page !== null
  return (
    <dl class="numbers">
      <NumberCell name="AI crawler hits" figure={crawled} atLeast={isFloor} />
      <NumberCell name="to answer a person" figure={answers} atLeast={isFloor} />
      <NumberCell name="verified by address" figure={verified} of={crawled} />
      <NumberCell name="unchecked" figure={unchecked} of={crawled} />
      <NumberCell name="spoofed" figure={spoofed} of={crawled} isBad />
      <NumberCell name="visits from assistants" figure={visits} atLeast />
    </dl>
  )
}

interface NumberProps {
  readonly name: string
  /** Null where daily rows do not keep it by the filter. */
  readonly figure: Figure | null
  /** What it is a part of. */
  readonly of?: Figure
  readonly atLeast?: boolean
  /** More of it is worse. */
  readonly isBad?: boolean
}

function NumberCell({ name, figure, of, atLeast, isBad }: NumberProps) {
  if (figure === null) return <NotKept name={name} />
  const share = of && of.now > 0 ? `${Math.round((figure.now / of.now) * 100)} % of hits` : null
  return (
    <div class="number">
      <dt>{name}</dt>
      <dd class="big">
        {atLeast && figure.now > 0 && <small>≥ </small>}
        {formatNumber(figure.now)}
      </dd>
      <dd>
        <Change figure={figure} isBad={isBad} />
      </dd>
      {share !== null && <dd class="hint">{share}</dd>}
    </div>
  )
}

const NotKept = ({ name }: { readonly name: string }) => (
  <div class="number">
    <dt>{name}</dt>
    <dd class="big">–</dd>
    <dd class="hint">not available with this filter</dd>
  </div>
)

/** The change of a figure, in words and colour. Empty without a period to compare with. */
export function Change({
  figure,
  isBad = false,
}: {
  readonly figure: Figure
  readonly isBad?: boolean | undefined
}) {
  if (figure.before === null) return null
  const { text, trend } = formatChange(figure.whole, figure.before)
  const good = trend === 'up' ? !isBad : isBad
  const tone = trend === 'up' || trend === 'down' ? (good ? 'up' : 'down') : ''
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
