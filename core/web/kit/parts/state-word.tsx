/** @jsxImportSource ../jsx */
import type { IconName } from '../../../contracts/icons'
import type { Children } from '../jsx/jsx-runtime'
import { Icon } from './icon'

export interface StateWordProps {
  /** good: done. warn: waiting. bad: failed. plain: everything else. */
  readonly tone?: 'plain' | 'good' | 'warn' | 'bad'
  /** Default: the icon of the tone. */
  readonly icon?: IconName
  /** The state in a word, such as Active, Paused or Failed. */
  readonly children?: Children
}

const iconOf = { plain: 'circle-dot', good: 'circle-check', warn: 'clock', bad: 'circle-x' } as const

/** A state as an icon and a word, so that neither color nor shape is the only sign. */
export const StateWord = ({ tone = 'plain', icon = iconOf[tone], children }: StateWordProps) => (
  <span class={`state ${tone}`}>
    <Icon name={icon} />
    {children}
  </span>
)
