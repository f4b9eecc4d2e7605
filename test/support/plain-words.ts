import { commentsOf, type Prose, stringsOf } from './code-prose'
import { proseOf, sentencesOf } from './docs-prose'

interface Fault {
  readonly line: number
  readonly rule: string
}

/** A fault, and its index in the file. */
interface Found {
  readonly at: number
  readonly rule: string
}

/** Words and phrases that readers had to read twice, and what to write instead. */
const stilted: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:whoever|whomever|whosoever)\b/i, 'name the person, such as "the operator"'],
  [/\banew\b/i, 'again'],
  [/\bheed(?:s|ed|ing)?\b/i, 'follow'],
  [/\bof before\b/i, 'previous, earlier'],
  [/\bonce more\b/i, 'again'],
  [/\b(?:is|are|was|were|be|being) told\b/i, 'is sent, notified, reported'],
  [/\btold apart\b/i, 'distinguished'],
  [/\btaken for\b/i, 'counts as'],
  [/\bto the letter\b/i, 'exactly'],
  [/\bin (?:its|their) turn\b/i, 'leave it out'],
  [/\bholds? (?:good|again)\b/i, 'applies'],
  [/\bmade-up\b/i, 'sample'],
  [/\b(?:is|are|put) at rest\b/i, 'paused'],
  [/\bputs? to work\b/i, 'activated'],
  [/\b(?:dig|dug|digs) out\b/i, 'retry'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bbears?\b/i, 'has'],
  [/\bstood (?:still|there|in)\b/i, 'was blocked, was'],
  [/\bwritten down\b/i, 'recorded'],
  [/\bbroken off\b/i, 'interrupted'],
  [/\bturned away\b/i, 'access removed'],
  [/\brather not\b/i, 'Cancel'],
  [/\bowner's door\b/i, 'admin interface'],
  [/\bthe (?:gate|gate's)(?![-\w])/i, 'the gateway'],
  [/\bnoughts?\b/i, '0, zero'],
  [/\breckoned\b/i, 'estimated'],
  [/\bnone is called\b/i, 'no … has this name'],
  [/\bheard of\b/i, 'reported, received'],
  [/\bwhose it is\b/i, 'name the owner'],
  [/\bis not looked at\b/i, 'is not checked'],
  [/\b(?:is|are) not said\b/i, 'is unknown'],
  [/\bunless said otherwise\b/i, 'Default: …'],
  [/\bfor want of\b/i, 'without'],
  [/\bstands? in the way\b/i, 'conflicts with'],
  [/\bso many of\b/i, 'at most, the number of'],
  [/\bat the same moment\b/i, 'at the same time'],
  [/\bbr(?:ings?|ought) an? answer\b/i, 'has an answer, returns an answer'],
  [/\bwhat (?:came|became|comes|becomes) of\b/i, 'the result of, the state of'],
  [/\b(?:is|are|was|were) left alone\b/i, 'stays unchanged'],
  [/\bin one go\b/i, 'at once, without an await'],
  [/\bwhere (?:it|there) is none\b/i, 'if there is none'],
  [/\bas (?:it|they) came\b/i, 'unchanged, as received'],
  [/\b(?:whole|complete) reading\b/i, 'full sync'],
  [/\bbeing pitched\b/i, 'prospect'],
  [/\bthe period before\b/i, 'the previous period'],
  [/\bstands? for the\b/i, 'means, sums up'],
  [/\bwhat is (?:kept|told|asked|known)\b/i, 'name the thing'],
  [/\bmeanwhile\b/i, 'in the meantime, at the same time'],
]

/** Longest sentence of a document, in words. */
const wordsMax = 30

/** Lists of words that a program compares with, and the glossary, which names the old words. */
const isWordList = (path: string): boolean =>
  /^plugins\/reviews\/(?:writing\/speech|analysis)\//.test(path) || path === 'docs/contributors/glossary.md'

/** Returns the stilted words of a file, and the sentences of a document that are too long. */
export function plainWordFaults(path: string, text: string): Fault[] {
  if (isWordList(path) || path.startsWith('test/')) return []
  const found: Found[] = path.endsWith('.md') ? [...stiltedIn(proseOf(text)), ...tooLong(proseOf(text))] : []
  if (/\.tsx?$/.test(path)) found.push(...inCode(path, text))
  return found.map(({ at, rule }) => ({ line: text.slice(0, at).split('\n').length, rule }))
}

function inCode(path: string, text: string): Found[] {
  const comments = commentsOf(text)
  // Reading the syntax takes long, so a file is read only if its words alone can have a fault.
  const words = text.replace(/<[^<>]{0,200}>|['"`]\s{0,200}\+\s{0,200}['"`]/g, '').replace(/\s+/g, ' ')
  const isSuspect = /[A-Z][^.!?:;]{120}/.test(words) || stilted.some(([pattern]) => pattern.test(words))
  const strings = isSuspect ? stringsOf(path, text) : []
  return [
    ...stiltedIn([...comments, ...strings.filter(isPhrase)]),
    ...tooLong([...comments, ...strings.filter(({ text: said }) => /^[A-Z“"'].*[.!?]$/s.test(said.trim()))]),
  ]
}

/** Fewer words than three are a name more often than a text. */
const isPhrase = ({ text }: Prose) => text.trim().split(/\s+/).length >= 3

const stiltedIn = (prose: readonly Prose[]) =>
  prose.flatMap(({ at, text }) => {
    const words = text.replace(/`[^`]*`/g, 'x').replace(/\s+/g, ' ')
    return stilted.flatMap(([pattern, instead]) => {
      const found = pattern.exec(words)
      return found ? [{ at, rule: `plain words: not "${found[0]}", but: ${instead}` }] : []
    })
  })

const tooLong = (prose: readonly Prose[]) =>
  prose.flatMap(({ at, text }) =>
    sentencesOf(text)
      .map((sentence) => sentence.split(' ').length)
      .filter((words) => words > wordsMax)
      .map((words) => ({ at, rule: `a sentence has at most ${wordsMax} words, not ${words}` })),
  )
