/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'
import { Icon } from './icon'

export interface EvidenceProps {
  /** The number as text. */
  readonly figure: Children
  /** Label of the number for screen readers: “Rating”. */
  readonly label: string
  /** How it is computed, in one sentence. */
  readonly definition: string
  /** The facts behind it, such as `['Reviews', '128']` and `['Interval', '4.4 to 4.7']`. */
  readonly facts: readonly (readonly [name: string, value: Children])[]
  /** The page with its rows. */
  readonly href?: string
}

/** A number that opens the facts behind it. */
export const Evidence = ({ figure, label, definition, facts, href }: EvidenceProps) => (
  <details class="evidence" data-menu="">
    <summary>
      {figure}
      <Icon name="info" />
      <span class="unseen">: the basis of {label}</span>
    </summary>
    <div>
      <p>{definition}</p>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      {href !== undefined && <a href={href}>Show the rows</a>}
    </div>
  </details>
)
