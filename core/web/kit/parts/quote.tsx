/** @jsxImportSource ../jsx */
import type { Children } from '../jsx/jsx-runtime'
import { Highlight, type Marks } from './highlight'

export interface QuoteProps {
  /** A text of a stranger. It is shown as text, never as HTML. */
  readonly text: string
  /** The language of the text, such as `de`, if known. */
  readonly lang?: string | undefined
  /** The author. */
  readonly by?: Children
  /** Parts to mark, as offsets in UTF-16 units. */
  readonly marks?: Marks
}

/** A stranger's text, with its own direction and line breaks, shown as text only. */
export const Quote = ({ text, lang, by, marks }: QuoteProps) => (
  <figure class="figure">
    <blockquote class="quote" dir="auto" lang={lang}>
      <Highlight text={text} {...(marks ? { marks } : {})} />
    </blockquote>
    {by !== undefined && (
      <figcaption class="by">
        <bdi>{by}</bdi>
      </figcaption>
    )}
  </figure>
)
