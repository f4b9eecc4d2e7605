import type { Positions, Ranges } from './positions'

/** How the work of a backtracking engine can grow with a text: in step with it or faster. */
export type Growth = 'linear' | 'polynomial' | 'exponential'

/**
 * The growth of a pattern's work on the worst text. It is polynomial where one word leads around one loop, on to another loop, and
 * around that (Weber and Seidl's IDA), and exponential where a word leads around a loop in two ways (EDA). Places that have matched
 * are left out: an engine that reaches one stops.
 */
export function growthOf(positions: Positions, isAnchored: boolean, isOpen: boolean): Growth {
  const graph = graphOf(positions, isAnchored, isOpen)
  const loops = graph.out.map((_, node) => node).filter((node) => reach(graph, node).has(node))
  if (loops.some((node) => hasTwoWays(graph, node))) return 'exponential'
  for (const from of loops) {
    const reached = reach(graph, from)
    if (loops.some((to) => to !== from && reached.has(to) && leadsOn(graph, from, to))) return 'polynomial'
  }
  return 'linear'
}

interface Graph {
  readonly out: readonly (readonly number[])[]
  readonly back: readonly (readonly number[])[]
  /** The characters that lead into each node, as bits. */
  readonly masks: readonly bigint[]
}

/** `isOpen`: after its last place the pattern may still fail. */
function graphOf({ takes, follow, last }: Positions, isAnchored: boolean, isOpen: boolean): Graph {
  const gone = isOpen ? new Set<number>() : last
  const out = follow.map((next, node) => (gone.has(node) ? [] : next.filter((one) => !gone.has(one))))
  // An engine tries each place of a text as the start.
  if (!isAnchored && !gone.has(0)) out[0]?.push(0)
  const back: number[][] = out.map(() => [])
  for (const [node, next] of out.entries()) for (const one of new Set(next)) back[one]?.push(node)
  const masks = masksOf(takes)
  masks[0] = masks.reduce((all, mask) => all | mask, 1n << BigInt(takes.flat().length * 2 + 1))
  return { out, back, masks }
}

/** One bit for each stretch of characters that all places treat alike. */
function masksOf(takes: readonly Ranges[]): bigint[] {
  const starts = new Set(takes.flat().flatMap(({ min, max }) => [min, max + 1]))
  const stretches = [...starts].sort((a, b) => a - b)
  const at = new Map(stretches.map((start, place) => [start, place]))
  return takes.map((ranges) =>
    ranges.reduce((mask, { min, max }) => {
      const from = at.get(min) ?? 0
      const to = at.get(max + 1) ?? 0
      return mask | (((1n << BigInt(to - from)) - 1n) << BigInt(from))
    }, 0n),
  )
}

function reach({ out }: Pick<Graph, 'out'>, start: number): Set<number> {
  const found = new Set<number>()
  const left = [...(out[start] ?? [])]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (found.has(node)) continue
    found.add(node)
    left.push(...(out[node] ?? []))
  }
  return found
}

/** The nodes of the loops through a node. */
function loopOf(graph: Graph, node: number): Set<number> {
  const back = reach({ out: graph.back }, node)
  return new Set([...reach(graph, node)].filter((one) => back.has(one)))
}

/** Whether some word leads from a node back to it in two ways. */
function hasTwoWays(graph: Graph, node: number): boolean {
  const loop = loopOf(graph, node)
  for (const one of loop) {
    const next = (graph.out[one] ?? []).filter((to) => loop.has(to))
    if (new Set(next).size < next.length) return true
  }
  const step = pairs(graph.out, graph.masks, loop)
  const ahead = search([node, node], step)
  if (![...ahead.values()].some(([a, b]) => a !== b)) return false
  const behind = search([node, node], pairs(graph.back, graph.masks, loop, true))
  return [...ahead].some(([key, [a, b]]) => a !== b && behind.has(key))
}

const pairs =
  (edges: Graph['out'], masks: readonly bigint[], loop: ReadonlySet<number>, isBack = false) =>
  ([a = 0, b = 0]: readonly number[]) =>
    (edges[a] ?? []).flatMap((a2) =>
      (edges[b] ?? [])
        .filter((b2) => {
          const [one, two] = isBack ? [a, b] : [a2, b2]
          return loop.has(a2) && loop.has(b2) && ((masks[one] ?? 0n) & (masks[two] ?? 0n)) !== 0n
        })
        .map((b2) => [a2, b2]),
    )

/** Whether some word leads around one loop, from it to another, and around that. */
function leadsOn({ out, masks, ...graph }: Graph, from: number, to: number): boolean {
  const first = loopOf({ out, masks, ...graph }, from)
  const second = loopOf({ out, masks, ...graph }, to)
  const goal = String([from, to, to])
  const found = search(
    [from, from, to],
    ([a = 0, b = 0, c = 0]) =>
      (out[a] ?? [])
        .filter((a2) => first.has(a2))
        .flatMap((a2) =>
          (out[b] ?? []).flatMap((b2) => {
            const shared = (masks[a2] ?? 0n) & (masks[b2] ?? 0n)
            if (shared === 0n) return []
            return (out[c] ?? [])
              .filter((c2) => second.has(c2) && (shared & (masks[c2] ?? 0n)) !== 0n)
              .map((c2) => [a2, b2, c2])
          }),
        ),
    goal,
  )
  return found.has(goal)
}

function search(
  start: readonly number[],
  step: (node: readonly number[]) => readonly (readonly number[])[],
  goal?: string,
): Map<string, readonly number[]> {
  const found = new Map<string, readonly number[]>()
  const left = [start]
  for (let node = left.pop(); node; node = left.pop()) {
    for (const next of step(node)) {
      const key = String(next)
      if (found.has(key)) continue
      found.set(key, next)
      if (key === goal) return found
      left.push(next)
    }
  }
  return found
}
