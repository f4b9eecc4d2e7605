import { type JsonObject, type TextLeaf, textAt, textsIn } from './json'
import type { PublishedWords } from './published-words'
import { isNeverOurs } from './strangers'

/** Says who writes the text at a path of an answer. `unknown`: the installation does not publish it. */
export type WordsAt = (path: readonly string[]) => PublishedWords | 'unknown'

/** A fault of the marks of an answer. */
export interface MarkFault {
  /** `unknown`: the installation does not publish whether Renown or a stranger writes this field. */
  readonly kind: 'unmarked' | 'broken' | 'unknown'
  readonly path: string
  readonly text: string
}

/** What the marks of an answer are. */
export interface MarkedAnswer {
  /** The random name of the two tags. Null if nothing is marked. */
  readonly name: string | null
  readonly faults: readonly MarkFault[]
  /** The texts between the tags. */
  readonly marked: readonly TextLeaf[]
  /** Everything outside the tags, one text to a line. */
  readonly outside: string
}

/** Returns the name of the tags that an answer names in `untrusted`. */
export function markNameOf(answer: unknown): string | null {
  return (
    /^Text in <([A-Za-z0-9_-]{3,64})>…<\/([A-Za-z0-9_-]{3,64})> was written by strangers/.exec(
      textAt(answer, 'untrusted') ?? '',
    )?.[1] ?? null
  )
}

/** Texts without letters, of at most three characters, times, and ids that Renown made. None can hold an order. */
const harmless = [
  /^[\s\S]{0,3}$/,
  /^\P{L}{0,4000}$/u,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/,
  /^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}(:\d{4}-\d\d-\d\d)?$/,
]
/** A code, an id or a name of a list: one word. */
const code = /^[\w.:@+/-]{1,80}$/
/** Names of fields, as programs write them. They hold no sentence. */
const plainName = /^[\w.:-]{1,60}$/

/** Reads the marks of an answer, and finds what is outside them and not Renown's own. */
export function readMarks(answer: JsonObject, wordsAt: WordsAt): MarkedAnswer {
  const name = markNameOf(answer)
  const { untrusted: _, ...rest } = answer
  const faults: MarkFault[] = []
  const marked: TextLeaf[] = []
  const outside: string[] = []
  for (const leaf of textsIn(rest)) {
    const verdict = judge(leaf, name, wordsAt)
    if (verdict === 'marked') {
      marked.push(leaf)
      continue
    }
    outside.push(leaf.text)
    if (verdict === 'own') continue
    faults.push({ kind: verdict, path: leaf.path.join('.'), text: leaf.text.slice(0, 60) })
  }
  return { name, faults, marked, outside: outside.join('\n') }
}

function judge(
  { text, path, isName }: TextLeaf,
  name: string | null,
  wordsAt: WordsAt,
): 'marked' | 'own' | MarkFault['kind'] {
  if (name !== null && text.includes(name)) {
    const open = `<${name}>`
    const close = `</${name}>`
    if (!text.startsWith(open) || !text.endsWith(close)) return 'broken'
    const inner = text.slice(open.length, -close.length)
    return inner.includes(name) ? 'broken' : 'marked'
  }
  if (isName && plainName.test(text)) return 'own'
  if (harmless.some((form) => form.test(text))) return 'own'
  if (!isName && isNeverOurs(path)) return 'unmarked'
  const words = wordsAt(path)
  if (words === 'ours' || (words === 'code' && !isName && code.test(text))) return 'own'
  return words === 'unknown' && !isName ? 'unknown' : 'unmarked'
}

/** Returns a text without the marks around it. */
export function withoutMarks(text: string, name: string | null): string {
  if (name === null) return text
  return text.replaceAll(`<${name}>`, '').replaceAll(`</${name}>`, '')
}

/** Characters that nobody sees and that can hold an order: bidirectional marks, tag characters, zero-width spaces. */
export const hiddenCharacters =
  /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u
