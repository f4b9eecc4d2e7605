/** @jsxImportSource ../jsx */
import { diffArrays } from 'diff'

export interface DiffProps {
  readonly before: string
  readonly after: string
}

/** Maximum words that may differ. Other texts are shown in full, because the time of comparing grows with the square of it. */
const changesMax = 300

/** Shows how a text changed, word by word. Removed and added words are separate elements, not only colors. */
export const Diff = (props: DiffProps) => (
  <div class="diff" dir="auto">
    {changes(props).map(({ value, added, removed }, place) => {
      const text = value.join('')
      if (added) return <ins key={place}>{text}</ins>
      return removed ? <del key={place}>{text}</del> : <span key={place}>{text}</span>
    })}
  </div>
)

/** Returns the shortest list of changes between two texts, by words. */
const changes = ({ before, after }: DiffProps) =>
  diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: changesMax }) ?? [
    { value: [before], added: false, removed: true },
    { value: [after], added: true, removed: false },
  ]

const wordsOf = (text: string) => text.split(/(?<=\s)(?=\S)/)
