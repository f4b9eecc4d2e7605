/** @jsxImportSource ../jsx */

/** Parts of a text, as offsets in UTF-16 units. */
export type Marks = readonly (readonly [from: number, to: number])[]

export interface HighlightProps {
  readonly text: string
  readonly marks?: Marks
}

/** A text with marked parts, shown as text only. Marks that overlap or are outside the text are ignored. */
export const Highlight = ({ text, marks = [] }: HighlightProps) => (
  <>
    {pieces(text, marks).map(({ piece, isMarked, from }) =>
      isMarked ? <mark key={from}>{piece}</mark> : piece,
    )}
  </>
)

/** Cuts the text where marks start and end. */
function pieces(text: string, marks: Marks) {
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
