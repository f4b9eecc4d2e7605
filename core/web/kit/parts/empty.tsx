/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'

export interface EmptyProps {
  /** One sentence, such as “All done, next look at 09:00.” */
  readonly text: Children
  /** The main action: a button or a link. */
  readonly action?: Children
  /** A faded sample of the future content, made of the page's own components. Screen readers skip it. */
  readonly sample?: Children
}

/** Shown on a page without content. */
export const Empty = ({ text, action, sample }: EmptyProps) => (
  <div class="empty">
    {sample && (
      <div class="sample" aria-hidden="true" inert>
        {sample}
      </div>
    )}
    <p>{text}</p>
    {action}
  </div>
)
