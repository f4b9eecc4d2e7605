/** @jsxImportSource ../jsx */
import { formatPeriod } from '../browser/format'
import type { AgentAppProps } from '../browser/page-props'

export interface AppPeriodsProps extends Pick<AgentAppProps<unknown>, 'ask' | 'isBusy'> {
  /** The period of the answer. */
  readonly period: { readonly date_from: string; readonly date_to: string; readonly days: number }
  /** The numbers of days that people can choose. */
  readonly choices: readonly number[]
  /** Other arguments of the call. */
  readonly args?: Readonly<Record<string, unknown>>
}

/** The period of an app in a chat, and buttons for others if the chat lets the app call its tool. */
export const AppPeriods = ({ period, choices, args = {}, ask, isBusy }: AppPeriodsProps) => (
  <div class="app-row">
    <p class="app-note">{formatPeriod(period)}</p>
    {ask && (
      <fieldset class="pick">
        <legend class="unseen">Period</legend>
        {choices.map((days) => (
          <button
            key={days}
            type="button"
            aria-pressed={String(days === period.days)}
            disabled={isBusy}
            onClick={() =>
              ask({
                period: `last_${days}_days`,
                days: undefined,
                date_from: undefined,
                date_to: undefined,
                ...args,
              })
            }
          >
            {`${days} days`}
          </button>
        ))}
      </fieldset>
    )}
  </div>
)
