/** @jsxImportSource ../jsx */

export interface DiffProps {
  readonly before: string
  readonly after: string
}

type Change = { readonly kind: 'same' | 'gone' | 'new'; readonly text: string }

/** Maximum words for comparing. Longer texts are shown in full, because comparing takes quadratic time. */
const wordsMax = 600

/** Shows how a text changed, word by word. Removed and added words are separate elements, not only colors. */
export const Diff = (props: DiffProps) => (
  <div class="diff" dir="auto">
    {changes(props).map(({ kind, text }, place) => {
      if (kind === 'same') return <span key={place}>{text}</span>
      return kind === 'new' ? <ins key={place}>{text}</ins> : <del key={place}>{text}</del>
    })}
  </div>
)

/** Returns the shortest list of changes between two texts, by words. */
function changes({ before, after }: DiffProps): readonly Change[] {
  const a = wordsOf(before)
  const b = wordsOf(after)
  if (a.length > wordsMax || b.length > wordsMax) {
    return [
      { kind: 'gone', text: before },
      { kind: 'new', text: after },
    ]
  }
  const longest = commonLengths(a, b)
  const lengthAt = (i: number, j: number) => longest[i]?.[j] ?? 0
  const found: Change[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push({ kind: 'same', text: a[i] ?? '' })
      i++
      j++
    } else if (j >= b.length || (i < a.length && lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      found.push({ kind: 'gone', text: a[i++] ?? '' })
    } else found.push({ kind: 'new', text: b[j++] ?? '' })
  }
  return joined(found)
}

/** Returns, for each pair of positions, the number of common words from there to the ends of both texts. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = rows[i] ?? []
      const next = rows[i + 1] ?? []
      row[j] = a[i] === b[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return rows
}

const joined = (found: readonly Change[]) =>
  found.reduce<Change[]>((all, { kind, text }) => {
    const last = all.at(-1)
    if (last?.kind === kind) all[all.length - 1] = { kind, text: last.text + text }
    else all.push({ kind, text })
    return all
  }, [])

const wordsOf = (text: string) => text.split(/(?<=\s)(?=\S)/)
