import { isObject, type JsonObject, type TextLeaf, textAt, textsIn } from './json'

/** What the installation publishes as its own words: names, values of closed lists, definitions. */
export type OwnWords = ReadonlySet<string>

/** A fault of the marks of an answer. */
export interface MarkFault {
  /** `unknown`: the kit does not know whether Renown or a stranger writes this field. */
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
/** Names of definitions, such as `reviews.response_rate@1`. */
const definition = /^[a-z_]{1,60}\.[a-z_]{1,60}@\d{1,3}$/
/** A position in a list, which only the installation can read. */
const cursor = /^[A-Za-z0-9_=-]{1,2000}$/
/**
 * Names of fields whose values Renown makes, such as codes, hashes and names of its registry of crawlers. They are not
 * published as closed lists.
 */
const ownNames = new Set([
  ...[
    'operator',
    'agent',
    'timezone',
    'locale',
    'plan',
    'site_key',
    'forwarder_token_last4',
    'suggested_reply_by',
  ],
  ...['written_by', 'template', 'type', 'data_hash', 'source', 'definition_version', 'batch_id'],
])
/** Fields of operations in which Renown writes sentences, by the end of their path. */
const ownSentences = new Set([
  ...[
    'floors',
    'codes',
    'says',
    'sources.says',
    'differences.why',
    'by_operator.line',
    'rulers.says',
    'rulers.label',
  ],
  ...[
    'crawls.notes',
    'visits.notes',
    'leads.notes',
    'rulers.publisher',
    'detection.version',
    'countries.name',
  ],
  ...['crawls.by.name', 'by_assistant.host', 'from_at_least.host'],
])
/** Fields that strangers write, in whatever tool they are. */
const strangersNames = new Set([
  ...[
    'review_text',
    'reviewer_name',
    'reviewer_photo_url',
    'reply_text',
    'body',
    'title',
    'excerpt',
    'url',
    'author',
  ],
  ...[
    'handle',
    'first_name',
    'last_name',
    'path',
    'token',
    'domain',
    'answer_text',
    'search_queries',
    'business_name',
  ],
  ...[
    'address',
    'phone',
    'email',
    'topic',
    'key_topics',
    'tags',
    'markdown',
    'text',
    'summary',
    'prompt_text',
  ],
])
/** A code or a short name. A sentence has another form. */
const code = /^[\w.:@/+-]{1,80}(?: [\w.+-]{1,20}){0,2}$/
/** Names of fields that hold a position. */
const cursorNames = new Set(['next_cursor', 'next_after', 'cursor'])
/** Names of fields, as programs write them. They hold no sentence. */
const plainName = /^[\w.:-]{1,60}$/

/** Reads the marks of an answer, and finds what is outside them and not Renown's own. */
export function readMarks(answer: JsonObject, own: OwnWords): MarkedAnswer {
  const name = markNameOf(answer)
  const { untrusted: _, ...rest } = answer
  const faults: MarkFault[] = []
  const marked: TextLeaf[] = []
  const outside: string[] = []
  const isRecords = 'rows' in answer || 'record' in answer
  for (const leaf of textsIn(rest)) {
    const verdict = judge(leaf, { name, own, isRecords })
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

interface Judging {
  readonly name: string | null
  readonly own: OwnWords
  /** Whether the answer has records, whose own fields the kit knows. */
  readonly isRecords: boolean
}

function judge(
  { text, path, isName }: TextLeaf,
  { name, own, isRecords }: Judging,
): 'marked' | 'own' | MarkFault['kind'] {
  if (name !== null && text.includes(name)) {
    const [open, close] = [`<${name}>`, `</${name}>`]
    if (!text.startsWith(open) || !text.endsWith(close)) return 'broken'
    const inner = text.slice(open.length, -close.length)
    return inner.includes(name) ? 'broken' : 'marked'
  }
  if (isName && plainName.test(text)) return 'own'
  if (harmless.some((form) => form.test(text)) || own.has(text) || definition.test(text)) return 'own'
  if (ownNames.has(path.at(-1) ?? '') && code.test(text)) return 'own'
  if (path[0] === 'truncated' && path.at(-1) === 'field' && plainName.test(text)) return 'own'
  if (cursorNames.has(path.at(-1) ?? '') && cursor.test(text)) return 'own'
  const shown = path.filter((part) => part !== '[]')
  const ends = [1, 2, 3].map((length) => shown.slice(-length).join('.'))
  if (ends.some((end) => ownSentences.has(end)) && !isRecords) return 'own'
  return isRecords || isName || strangersNames.has(shown.at(-1) ?? '') ? 'unmarked' : 'unknown'
}

/** Returns a text without the marks around it. */
export function withoutMarks(text: string, name: string | null): string {
  if (name === null) return text
  return text.replaceAll(`<${name}>`, '').replaceAll(`</${name}>`, '')
}

/** Characters that nobody sees and that can hold an order: bidirectional marks, tag characters, zero-width spaces. */
export const hiddenCharacters =
  /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Returns every published word: names, values of closed lists, and constants. */
export function ownWordsIn(...published: readonly unknown[]): Set<string> {
  const words = new Set<string>()
  const collect = (part: unknown): void => {
    if (Array.isArray(part)) {
      for (const item of part) collect(item)
      return
    }
    if (!isObject(part)) return
    for (const [key, value] of Object.entries(part)) {
      if (key === 'enum' || key === 'values')
        for (const one of Array.isArray(value) ? value : []) add(words, one)
      if (key === 'const' || key === 'name') add(words, value)
      collect(value)
    }
  }
  for (const one of published) collect(one)
  return words
}

function add(words: Set<string>, value: unknown) {
  if (typeof value === 'string') words.add(value)
}
