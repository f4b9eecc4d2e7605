/** @jsxImportSource ../jsx */
import type { IconName } from '../../../contracts/icons'
import type { Children } from '../jsx/jsx-runtime'
import { Icon } from './icon'
import { Moment } from './moment'

export interface TimelineProps {
  /** Label of the list for screen readers. */
  readonly label: string
  readonly events: readonly {
    readonly at: string
    readonly what: Children
    readonly icon?: IconName
    readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
  }[]
}

/** Events in the given order, one below the other. */
export const Timeline = ({ label, events }: TimelineProps) => (
  <ol class="timeline" aria-label={label}>
    {events.map(({ at, what, icon = 'circle-dot', tone = 'plain' }, place) => (
      <li key={place} class={tone}>
        <Icon name={icon} />
        <div>
          <div class="what">{what}</div>
          <Moment at={at} />
        </div>
      </li>
    ))}
  </ol>
)
