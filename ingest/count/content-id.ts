import type { JournalHit } from '../journal/segment'
import { hash32, hash53 } from '../parse/hash'
import type { Tally } from './tally'

/** What the id of a batch is made of, besides its hits. */
interface Content {
  readonly text: string
  readonly bodySecret: string
  readonly turn?: () => Promise<void>
}

/** Longer texts are hashed in turns. A slice of them takes a few milliseconds. */
const hashedAtOnce = 2 ** 22

/** Returns the id made from what is in a batch. None if its hits have ids of their own. */
export function idByContent(
  { isOneOfMany }: { readonly isOneOfMany: boolean },
  batch: Content,
  tally: Tally,
): string | null | Promise<string | null> {
  const isKnown = tally.hits.every(hasId)
  if (isKnown ? tally.hits.length === 1 || !isOneOfMany : !tally.isDated) return null
  const [first, ...others] = tally.hits as [JournalHit, ...JournalHit[]]
  const id = contentIdOf(batch, tally)
  if (others.length > 0) return id
  const idOnly = (content: string) => {
    tally.hits[0] = { ...first, id: hash53(content, hash32(first.site_id)) }
    return null
  }
  return id instanceof Promise ? id.then(idOnly) : idOnly(id)
}

const hasId = ({ id }: JournalHit) => id !== undefined

/**
 * Returns an id of the hits and the number of other lines, if each hit has a key. It is the same when a collector sends the
 * lines again in a new envelope. Otherwise of the body. With the secret, it does not reveal the addresses in it.
 */
function contentIdOf({ bodySecret, text, turn }: Content, tally: Tally): string | Promise<string> {
  const { keys, hits, lines, ignored, ofNoAgent, rejected } = tally
  const hash = new Bun.CryptoHasher('sha256').update(bodySecret).update('\n')
  if (keys.length < hits.length) {
    if (text.length > hashedAtOnce)
      return hashInTurns(hash, text, turn).then((hashed) => hashed.digest('hex').slice(0, 32))
    hash.update(text)
  } else hash.update(`${lines} ${ignored + ofNoAgent} ${rejected}\n`).update(new Float64Array(keys))
  return hash.digest('hex').slice(0, 32)
}

/** Adds a text to a hash, with turns for other work in between. */
export async function hashInTurns(
  hash: Bun.CryptoHasher,
  text: string,
  turn: () => Promise<void> = nextImmediate,
): Promise<Bun.CryptoHasher> {
  for (let at = 0; at < text.length; ) {
    if (at > 0) await turn()
    let end = Math.min(text.length, at + hashedAtOnce)
    // A pair of surrogates is one character.
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last < 0xdc00) end--
    hash.update(text.slice(at, end))
    at = end
  }
  return hash
}

/** Waits until the event loop has served what waits. */
export const nextImmediate = () => new Promise<void>((resolve) => setImmediate(resolve))
