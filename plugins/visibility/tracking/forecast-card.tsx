/** @jsxImportSource renown/web */
import { Card, formatNumber, Notice } from 'renown/web'
import type { Forecast } from '../measure/plan'

export interface ForecastCardProps {
  readonly forecast: Forecast
  readonly days: number
  /** Such as `5 prompts × 4 assistants`. */
  readonly basket: string
  /** How the price of an answer is known. */
  readonly price: string
}

const dollars = (usd: number) => `$${usd.toFixed(2)}`
const points = (width: number) => `± ${formatNumber(Math.max(1, Math.round(width * 100)))} points`

/** Assistants whose price is not known, and what counts instead. */
export const PriceNotices = ({
  of,
}: {
  readonly of: readonly { readonly label: string; readonly why: string }[]
}) => (
  <>
    {of.map(({ label, why }) => (
      <Notice key={label} tone="warn" title={`The price of ${label} is not known`}>
        {why}
      </Notice>
    ))}
  </>
)

/** What a tracker will cost, and how sure its rate will be. */
export function ForecastCard({ forecast, days, basket, price }: ForecastCardProps) {
  const { answers, usd, half_width, sure_after_days, usd_until_sure } = forecast
  return (
    <Card title="Forecast" about={basket}>
      {answers === 0 ? (
        <p>Nothing is asked: there is no active prompt, or no assistant.</p>
      ) : (
        <ul>
          <li>
            {formatNumber(answers)} answers in {days} days, about <strong>{dollars(usd)}</strong>. {price}
          </li>
          <li>The mention rate is then known to {points(half_width)}.</li>
          {sure_after_days !== null && (
            <li>
              It knows enough after about {sure_after_days} days and stops for the rest of the month, after
              about <strong>{dollars(usd_until_sure)}</strong>.
            </li>
          )}
        </ul>
      )}
    </Card>
  )
}
