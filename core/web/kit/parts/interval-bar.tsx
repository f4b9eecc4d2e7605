/** @jsxImportSource ../jsx */

export interface IntervalBarProps {
  /** The measured value, such as “Recommended”. */
  readonly label: string
  /** Shares from 0 to 1. */
  readonly value: number
  readonly low: number
  readonly high: number
}

const percent = (share: number) => `${Math.round(share * 100)} %`
const at = (share: number) => `${Math.min(100, Math.max(0, share * 100))}%`

/** A share with its interval. It always shows the interval, not only the value. */
export const IntervalBar = ({ label, value, low, high }: IntervalBarProps) => (
  <svg
    class="interval"
    role="img"
    aria-label={`${label}: ${percent(value)}, between ${percent(low)} and ${percent(high)}`}
    width="100%"
    height="20"
  >
    <rect class="track" x="0" y="8" width="100%" height="4" rx="2" />
    <rect class="range" x={at(low)} y="5" width={at(high - low)} height="10" rx="3" />
    <rect class="point" x={at(value)} y="2" width="3" height="16" rx="1" />
  </svg>
)
