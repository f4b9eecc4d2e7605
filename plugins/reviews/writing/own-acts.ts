import { phrasesIn, wordsIn } from '../analysis/word-rows'
import written from './own-acts.json'
import type { Token } from './reply-tokens'
import { isAmong } from './safe-phrases'

/**
 * What a business says of itself and of the reader in a reply that claims nothing: it thanks, is glad, regrets, understands. As
 * words and stems. A verb of the business that is not among them is one of doing or owning, which a person has to confirm.
 */
interface OwnActs {
  /** Words for the business itself. Languages that put it into the verb have `endings`. */
  readonly subjects?: readonly string[]
  /** Verbs that need another. */
  readonly helpers?: readonly string[]
  readonly endings?: readonly string[]
  readonly acts: readonly string[]
  /** How the reader is spoken of, as phrases. */
  readonly addresses: readonly string[]
  /** What may be said of the reader. */
  readonly praises: readonly string[]
}

const acts: Readonly<Record<string, OwnActs>> = written

/** The languages whose free sentences can be judged. */
export const freeLanguages: readonly string[] = Object.keys(acts)

/** Returns the word with which a sentence says what the business did or does, or what the reader is. Null if there is none. */
export function unknownAct(tokens: readonly Token[], language: string): string | null {
  const known = acts[language]
  if (known === undefined) return null
  return actFault(tokens, known) ?? endingFault(tokens, known) ?? addressFault(tokens, known)
}

const around = 3
const after = 7

function actFault(tokens: readonly Token[], { subjects = [], helpers = [], acts }: OwnActs): string | null {
  const own = wordsIn(subjects)
  const auxiliary = wordsIn(helpers)
  const allowed = wordsIn(acts)
  for (const [at, { word }] of tokens.entries()) {
    if (!own.includes(word)) continue
    const near = tokens.slice(Math.max(0, at - around), at + around + 1)
    const rest = tokens.slice(at + 1, at + 1 + after)
    const isHelped =
      near.some((one) => auxiliary.includes(one.word)) && rest.some((one) => isAmong(one.word, allowed))
    const isKnown = near.some((one) => isAmong(one.word, allowed))
    if (!isKnown && !isHelped) return tokens[at + 1]?.raw ?? word
  }
  return null
}

function endingFault(tokens: readonly Token[], { endings = [], acts }: OwnActs): string | null {
  const own = wordsIn(endings)
  const allowed = wordsIn(acts)
  const found = tokens.find(
    ({ word, raw }) =>
      word.length > 4 &&
      !/^\p{Lu}/u.test(raw) &&
      own.some((end) => word.endsWith(end)) &&
      !isAmong(word, allowed),
  )
  return found?.raw ?? null
}

function addressFault(tokens: readonly Token[], { addresses, praises }: OwnActs): string | null {
  const allowed = wordsIn(praises)
  for (const phrase of phrasesIn(addresses)) {
    const words = phrase.split(' ').filter((word) => word !== '')
    if (words.length === 0) continue
    for (const at of tokens.keys()) {
      if (!words.every((word, n) => tokens[at + n]?.word === word)) continue
      const said = tokens[at + words.length]
      if (said !== undefined && !isAmong(said.word, allowed)) return said.raw
    }
  }
  return null
}
