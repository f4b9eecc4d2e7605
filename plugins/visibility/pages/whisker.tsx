/** @jsxImportSource renown/web */

export interface WhiskerProps {
  /** Shares from 0 to 1. Null: there is no rate. */
  readonly rate: number | null
  readonly ci95: readonly number[] | null
}

const at = (share: number) => `${Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10}%`

/** A rate as a dot with its 95 % interval as whiskers, from 0 to 100 %. The figures stand beside it, so it has no text. */
export const Whisker = ({ rate, ci95 }: WhiskerProps) => (
  <svg class="whisker" width="100%" height="16" aria-hidden="true">
    <line class="axis" x1="0" x2="100%" y1="8" y2="8" />
    {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
      <line key={tick} class="axis" x1={at(tick)} x2={at(tick)} y1="5" y2="11" />
    ))}
    {ci95 && (
      <>
        <line class="reach" x1={at(ci95[0] ?? 0)} x2={at(ci95[1] ?? 1)} y1="8" y2="8" />
        <line class="end" x1={at(ci95[0] ?? 0)} x2={at(ci95[0] ?? 0)} y1="4" y2="12" />
        <line class="end" x1={at(ci95[1] ?? 1)} x2={at(ci95[1] ?? 1)} y1="4" y2="12" />
      </>
    )}
    {rate !== null && <circle class="dot" cx={at(rate)} cy="8" r="4" />}
  </svg>
)
