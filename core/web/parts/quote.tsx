/** @jsxImportSource ../jsx */

export interface QuoteProps {
  /** A text of a stranger. It is shown as text, never as HTML. */
  readonly text: string
  /** The language of the text, such as `de`, if known. */
  readonly lang?: string | undefined
  /** The author. */
  readonly by?: string | undefined
  /** Parts to mark, as offsets in UTF-16 units. */
  readonly marks?: readonly (readonly [from: number, to: number])[]
}

/** A stranger's text, with its own direction and line breaks, shown as text only. */
export const Quote = ({ text, lang, by, marks = [] }: QuoteProps) => (
  <figure class="figure">
    <blockquote class="quote" dir="auto" lang={lang}>
      {pieces(text, marks).map(({ piece, isMarked, from }) =>
        isMarked ? <mark key={from}>{piece}</mark> : piece,
      )}
    </blockquote>
    {by !== undefined && (
      <figcaption class="by">
        <bdi>{by}</bdi>
      </figcaption>
    )}
  </figure>
)

/** Cuts the text where marks start and end. Marks that overlap or are outside the text are ignored. */
function pieces(text: string, marks: NonNullable<QuoteProps['marks']>) {
  const found: { readonly piece: string; readonly isMarked: boolean; readonly from: number }[] = []
  let at = 0
  for (const [from, to] of marks.toSorted(([a], [b]) => a - b)) {
    if (from < at || to <= from || to > text.length) continue
    if (from > at) found.push({ piece: text.slice(at, from), isMarked: false, from: at })
    found.push({ piece: text.slice(from, to), isMarked: true, from })
    at = to
  }
  return at < text.length ? [...found, { piece: text.slice(at), isMarked: false, from: at }] : found
}
