import { isBetweenWords, isWordAt } from './characters'
import type { Folded } from './fold'

/** Called for each occurrence of a phrase between words. */
export type OnPhrase = (phrase: number, start: number, end: number) => void

/**
 * Finds many phrases in one pass over a text (Aho–Corasick). Transitions are in a hash table, so that memory
 * grows with the phrases and not with the alphabet.
 */
export interface Automaton {
  readonly states: number
  scan(text: Folded, onPhrase: OnPhrase): void
}

/** Builds the automaton of folded phrases. A phrase is reported by its index. The phrases must be distinct. */
export function buildAutomaton(phrases: readonly string[]): Automaton {
  const trie = new Trie(phrases.reduce((sum, { length }) => sum + length, 1))
  const lengths = Int32Array.from(phrases, ({ length }) => length)
  const phraseOf = new Int32Array(trie.capacity).fill(-1)
  phrases.forEach((phrase, at) => {
    phraseOf[trie.add(phrase)] = at
  })
  const { fail, link } = linksOf(trie, phraseOf)
  const root = new Int32Array(0x10000)
  for (let state = 1; state < trie.states; state++) {
    if (trie.parent[state] === 0) root[trie.code[state] as number] = state
  }
  return {
    states: trie.states,
    scan(text, onPhrase) {
      const { codes, length } = text
      let state = 0
      for (let at = 0; at < length; at++) {
        const code = codes[at] as number
        let next = 0
        while (state !== 0) {
          next = trie.find(state, code)
          if (next !== 0) break
          state = fail[state] as number
        }
        state = next === 0 ? (root[code] as number) : next
        let output = phraseOf[state] === -1 ? (link[state] as number) : state
        while (output !== 0) {
          const phrase = phraseOf[output] as number
          const start = at + 1 - (lengths[phrase] as number)
          if (isFree(text, start, at + 1)) onPhrase(phrase, start, at + 1)
          output = link[output] as number
        }
      }
    },
  }
}

/** Whether a phrase is not part of a longer word. A phrase that begins with a sign, such as .NET, needs a free start too. */
export function isFree({ codes, length, breaks }: Folded, start: number, end: number): boolean {
  if (start > 0 && breaks[start] === 0) {
    const isSign = !isWordAt(codes, start)
    if (isSign ? isWordAt(codes, start - 1) : !isBetweenWords(codes, start)) return false
  }
  return end >= length || breaks[end] === 1 || isBetweenWords(codes, end)
}

class Trie {
  readonly capacity: number
  readonly parent: Int32Array
  readonly code: Uint16Array
  states = 1
  private readonly slots: Int32Array
  private readonly mask: number

  constructor(capacity: number) {
    this.capacity = capacity
    this.parent = new Int32Array(capacity)
    this.code = new Uint16Array(capacity)
    let size = 16
    while (size < capacity * 3) size *= 2
    this.slots = new Int32Array(size)
    this.mask = size - 1
  }

  /** Returns the state after this one, or 0. */
  find(state: number, code: number): number {
    let slot = Math.imul(state * 31 + code, 0x9e3779b1) >>> 7
    for (;;) {
      slot &= this.mask
      const found = this.slots[slot] as number
      if (found === 0 || (this.parent[found] === state && this.code[found] === code)) return found
      slot++
    }
  }

  add(phrase: string): number {
    let state = 0
    for (let at = 0; at < phrase.length; at++) {
      const code = phrase.charCodeAt(at)
      state = this.find(state, code) || this.insert(state, code)
    }
    return state
  }

  private insert(state: number, code: number): number {
    const made = this.states++
    this.parent[made] = state
    this.code[made] = code
    let slot = Math.imul(state * 31 + code, 0x9e3779b1) >>> 7
    while (this.slots[slot & this.mask] !== 0) slot++
    this.slots[slot & this.mask] = made
    return made
  }
}

/** Returns for each state the longest other state that ends the same, and the next of those that ends a phrase. */
function linksOf(trie: Trie, phraseOf: Int32Array) {
  const fail = new Int32Array(trie.states)
  const link = new Int32Array(trie.states)
  for (const state of byDepth(trie)) {
    const parent = trie.parent[state] as number
    const code = trie.code[state] as number
    let suffix = parent
    let found = 0
    while (suffix !== 0 && found === 0) {
      suffix = fail[suffix] as number
      found = trie.find(suffix, code)
    }
    fail[state] = found
    link[state] = phraseOf[found] === -1 ? (link[found] as number) : found
  }
  return { fail, link }
}

function byDepth({ states, parent }: Trie): number[] {
  const levels: number[][] = []
  const depth = new Int32Array(states)
  for (let state = 1; state < states; state++) {
    const own = (depth[parent[state] as number] as number) + 1
    depth[state] = own
    const level = levels[own]
    if (level) level.push(state)
    else levels[own] = [state]
  }
  return levels.flat()
}
