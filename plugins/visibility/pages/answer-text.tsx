/** @jsxImportSource renown/web */
import type { AnswerMark } from './answer-marks'

interface Props {
  /** Untrusted text. It is shown as text, never as HTML. */
  readonly text: string
  readonly marks: readonly AnswerMark[]
  readonly isCut?: boolean
}

/** An answer as the assistant wrote it, with names marked. The kind of a mark is also said in words. */
export const AnswerText = ({ text, marks, isCut }: Props) => (
  <blockquote class="quote answer-text" dir="auto">
    {isCut && '… '}
    {pieces(text, marks).map(({ piece, who, from }) =>
      who === null ? (
        piece
      ) : (
        <mark
          key={from}
          class={who === 'brand' ? 'you' : 'other'}
          title={who === 'brand' ? 'You' : 'Competitor'}
        >
          {piece}
        </mark>
      ),
    )}
    {isCut && ' …'}
  </blockquote>
)

/** Cuts the text where marks begin and end. Marks that overlap or are outside the text are ignored. */
function pieces(text: string, marks: readonly AnswerMark[]) {
  const found: { readonly piece: string; readonly who: AnswerMark['who'] | null; readonly from: number }[] =
    []
  let at = 0
  for (const { start, end, who } of marks.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > text.length) continue
    if (start > at) found.push({ piece: text.slice(at, start), who: null, from: at })
    found.push({ piece: text.slice(start, end), who, from: start })
    at = end
  }
  return at < text.length ? [...found, { piece: text.slice(at), who: null, from: at }] : found
}

/** What the marks mean. */
export const MarkKey = () => (
  <p class="hint answer-text">
    <mark class="you">You</mark> and <mark class="other">competitors</mark> are marked by the names that the
    tracker has now.
  </p>
)
