/** Returns the index of the token that comes first in a text, or -1. */
export type FindToken = (text: string) => number

/** Only ASCII is distinguished. All other characters are neither letters nor digits. */
const codes = 128
/** The size of tables by character code. A lookup needs no check of its bounds. */
const tableSize = 2 ** 16
/** Bits for the kind of a character: a letter or digit, or the start of a token. */
const word = 1
const opening = 2

/**
 * Creates the search for ASCII tokens. It ignores case. A token must be between characters that are not letters or
 * digits. The leftmost match counts, then the longest. It walks a tree of letters, which is faster than one pattern
 * of all tokens.
 */
export function createTokens(tokens: readonly string[]): FindToken {
  const { next, ends, classAt, kindAt, width } = treeOf(tokens.map((token) => token.toLowerCase()))

  /** Returns the longest token that starts at `start` and ends at a word boundary. */
  function longest(text: string, start: number): number {
    let found = -1
    let node = 0
    for (let at = start; at < text.length; at++) {
      node = next[node * width + (classAt[text.charCodeAt(at)] as number)] as number
      if (node === 0) break
      const end = ends[node] as number
      if (end !== -1 && !isWord(text.charCodeAt(at + 1))) found = end
    }
    return found
  }

  return (text) => {
    let before = 0
    for (let at = 0; at < text.length; at++) {
      const kind = kindAt[text.charCodeAt(at)] as number
      if (kind >= opening && (before & word) === 0) {
        const found = longest(text, at)
        if (found !== -1) return found
      }
      before = kind
    }
    return -1
  }
}

/** Whether a code is a letter or a digit. NaN, after the end of a text, is neither. */
function isWord(code: number): boolean {
  const lower = code | 32
  return (code >= 48 && code <= 57) || (lower >= 97 && lower <= 122)
}

interface Tree {
  /** The next node, by node and class of character, or 0. Node 0 is the root. */
  readonly next: Uint16Array
  /** The token that ends at a node, or -1. */
  readonly ends: Int16Array
  /** The class of each character. Characters that no token has are of class 0. */
  readonly classAt: Uint8Array
  readonly kindAt: Uint8Array
  readonly width: number
}

function treeOf(tokens: readonly string[]): Tree {
  // Class 0 has no letter.
  const letters = ['', ...new Set(tokens.join(''))]
  if (letters.some((letter) => letter.charCodeAt(0) >= codes)) throw new Error('a token is not ASCII')
  const classAt = new Uint8Array(tableSize)
  for (const [at, letter] of letters.entries())
    for (const each of [letter, letter.toUpperCase()]) classAt[each.charCodeAt(0)] = at
  const width = letters.length
  const nodes = [new Uint16Array(width)]
  const tokenAt = new Map<number, number>()
  for (const [at, token] of tokens.entries()) {
    let node = 0
    for (const letter of token) {
      const edges = nodes[node] as Uint16Array
      const at = classAt[letter.charCodeAt(0)] as number
      if (edges[at] === 0) {
        edges[at] = nodes.length
        nodes.push(new Uint16Array(width))
      }
      node = edges[at] as number
    }
    tokenAt.set(node, at)
  }
  const next = Uint16Array.from(nodes.flatMap((edges) => [...edges]))
  const kindAt = classAt.map((each, code) => (isWord(code) ? word : 0) + (next[each] === 0 ? 0 : opening))
  const ends = Int16Array.from(nodes, (_, node) => tokenAt.get(node) ?? -1)
  return { next, ends, classAt, kindAt, width }
}
