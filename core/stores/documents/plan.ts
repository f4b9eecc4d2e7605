import type { AnyEntity } from '../../contracts/entity'
import { everything, type SortKey, type Where } from '../../contracts/where'
import { indexesOf, type StoreIndex } from './indexes'

type Leaf = Extract<Where, { readonly field: string }>

/** How the declared indexes serve a find. */
export interface Plan {
  /**
   * Whether an index answers filter and order. Then every examined row is returned, apart from those that lists leave
   * out.
   */
  readonly covered: boolean
  /** The part of the filter that the best index uses. Every row that matches it may be examined. */
  readonly narrowed: Where
}

/** Plans a find from the entity's indexes, without a request to the store. `sort` ends in `id`. */
export function planOf(entity: AnyEntity, where: Where, sort: readonly SortKey[]): Plan {
  const { leaves, rest } = conjuncts(where)
  if (leaves.some((leaf) => leaf.field === 'id' && (leaf.op === 'eq' || leaf.op === 'in'))) {
    return { covered: true, narrowed: everything }
  }
  const free = new Set<string>([...Object.keys(entity.except ?? {}), ...(entity.exceptSet ?? [])])
  let best: Use | undefined
  for (const index of indexesOf(entity)) {
    const use = useOf(index, leaves, sort)
    if (!best || use.weight > best.weight) best = use
    const left = leaves.filter((leaf) => !use.leaves.includes(leaf) && !free.has(leaf.field))
    if (left.length === 0 && rest.length === 0 && use.ordered) return { covered: true, narrowed: everything }
  }
  return { covered: false, narrowed: { op: 'and', of: best?.leaves ?? [] } }
}

interface Use {
  readonly leaves: readonly Leaf[]
  readonly ordered: boolean
  readonly weight: number
}

function useOf(index: StoreIndex, leaves: readonly Leaf[], sort: readonly SortKey[]): Use {
  if (!partHolds(index, leaves)) return { leaves: [], ordered: false, weight: 0 }
  const used = leaves.filter((leaf) => leaf.op === 'eq' && index.where[leaf.field] === leaf.value)
  let place = 0
  let spread = false
  for (const key of index.keys) {
    const equal = leaves.find((leaf) => leaf.field === key.field && isEqual(leaf))
    const among = leaves.find((leaf) => leaf.field === key.field && leaf.op === 'in')
    if (!equal && !among) break
    used.push(...[equal ?? among].filter((leaf) => leaf !== undefined))
    spread ||= !equal
    place++
  }
  const next = index.keys[place]
  const ranges = next ? leaves.filter((leaf) => leaf.field === next.field && isRange(leaf)) : []
  const fixed = new Set(used.filter(isEqual).map((leaf) => leaf.field))
  const wanted = sort.filter(({ field }) => !fixed.has(field))
  const ordered = !spread && inOrder(index.keys.slice(place), wanted)
  const unique = index.unique && place === index.keys.length
  return {
    leaves: [...used, ...ranges],
    ordered: ordered || (unique && !spread),
    weight: used.length * 2 + (ranges.length > 0 ? 1 : 0),
  }
}

/** Whether the filter contains every condition of a partial index. */
const partHolds = (index: StoreIndex, leaves: readonly Leaf[]) =>
  Object.entries(index.where).every(([field, value]) =>
    leaves.some((leaf) => leaf.field === field && leaf.op === 'eq' && leaf.value === value),
  )

function inOrder(keys: readonly SortKey[], wanted: readonly SortKey[]): boolean {
  const flipped = keys[0]?.direction !== wanted[0]?.direction
  return wanted.every(({ field, direction }, place) => {
    const key = keys[place]
    return key?.field === field && (key.direction === direction) !== flipped
  })
}

const isEqual = (leaf: Leaf) => leaf.op === 'eq' || (leaf.op === 'in' && leaf.values.length === 1)
const isRange = (leaf: Leaf) => ['gt', 'gte', 'lt', 'lte'].includes(leaf.op)

/** Returns the comparisons that every result must meet, and the remaining branches. */
export function conjuncts(where: Where): { leaves: readonly Leaf[]; rest: readonly Where[] } {
  if (where.op === 'and') {
    const parts = where.of.map(conjuncts)
    return { leaves: parts.flatMap((part) => part.leaves), rest: parts.flatMap((part) => part.rest) }
  }
  return 'field' in where ? { leaves: [where], rest: [] } : { leaves: [], rest: [where] }
}
