import type { KeywordNode, PhraseNode } from './node'

/** Returns phrases of which every match of the node contains at least one. Null if a match may have none. */
export function anchorsOf(node: KeywordNode): readonly PhraseNode[] | null {
  if (node.kind === 'phrase') return [node]
  if (node.kind === 'near') return rarest([node.left, node.right])
  if (node.kind === 'and') return rarest(node.of.map(anchorsOf))
  if (node.kind !== 'or') return null
  const all = node.of.map(anchorsOf)
  return all.every((one) => one !== null) ? all.flat() : null
}

/** Chooses the alternatives that need the fewest questions, and among those the longest phrases: names come first. */
function rarest(groups: readonly (readonly PhraseNode[] | null)[]): readonly PhraseNode[] | null {
  const usable = groups.filter((group): group is readonly PhraseNode[] => group !== null)
  return usable.toSorted((a, b) => a.length - b.length || shortest(b) - shortest(a))[0] ?? null
}

const shortest = (phrases: readonly PhraseNode[]) => Math.min(...phrases.map(({ folded }) => folded.length))
