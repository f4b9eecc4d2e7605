import type { Scalar, Where } from '../../contracts/where'
import { conjuncts } from './plan'
import type { Patch } from './port'

type Json = Record<string, unknown>

/**
 * Returns a document changed by a patch, without changing the original. Throws if a path leads through a
 * value that is not an object.
 */
export function applyPatch(document: Json, patch: Patch, now: Date, inserting = false): Json {
  const next = structuredClone(document)
  const at = (path: string) => slot(next, path)
  for (const [path, value] of Object.entries(patch.set ?? {})) at(path).put(structuredClone(value))
  if (inserting) {
    for (const [path, value] of Object.entries(patch.setOnInsert ?? {})) at(path).put(structuredClone(value))
  }
  for (const path of patch.unset ?? []) slot(next, path, false).put(undefined)
  for (const [path, milliseconds] of Object.entries(patch.setNow ?? {})) {
    at(path).put(new Date(now.getTime() + milliseconds).toISOString())
  }
  for (const [path, by] of Object.entries(patch.inc ?? {})) {
    const old = at(path).get() ?? (at(path).has() ? null : 0)
    if (typeof old !== 'number') throw new TypeError(`${path} is not a number, so nothing can be added to it`)
    at(path).put(old + by)
  }
  for (const [path, value] of Object.entries(patch.min ?? {})) lower(at(path), value, 1)
  for (const [path, value] of Object.entries(patch.max ?? {})) lower(at(path), value, -1)
  changeLists(next, patch)
  return next
}

/** Returns what an upsert inserts: the values that its filter requires, then the patch. */
export function upserted(where: Where, patch: Patch, now: Date): Json {
  return applyPatch(equalities(where), patch, now, true)
}

/** Returns the values that a filter requires by equality. */
export function equalities(where: Where): Json {
  const start: Json = {}
  for (const leaf of conjuncts(where).leaves) {
    if (leaf.op === 'eq') slot(start, leaf.field).put(leaf.value)
  }
  return start
}

function changeLists(next: Json, patch: Patch): void {
  for (const [path, { values, cap }] of Object.entries(patch.push ?? {})) {
    const list = [...listAt(next, path), ...structuredClone(values)]
    slot(next, path).put(cap === undefined ? list : list.slice(Math.max(0, list.length - cap)))
  }
  for (const [path, values] of Object.entries(patch.addToSet ?? {})) {
    const list = listAt(next, path)
    slot(next, path).put([...list, ...new Set(values.filter((value) => !list.includes(value)))])
  }
  for (const [path, values] of Object.entries(patch.pull ?? {})) {
    if (!slot(next, path, false).has()) continue
    const gone = new Set<unknown>(values)
    slot(next, path).put(listAt(next, path).filter((value) => !gone.has(value)))
  }
}

function listAt(document: Json, path: string): unknown[] {
  const { get, has } = slot(document, path, false)
  const list = has() ? get() : []
  if (!Array.isArray(list)) throw new TypeError(`${path} is not a list`)
  return list
}

type Slot = ReturnType<typeof slot>

/** Keeps the lower value (`sign` 1) or the higher (−1). Sets a missing one. */
function lower({ get, has, put }: Slot, value: Scalar, sign: 1 | -1): void {
  if (!has() || compareScalars(value, get() as Scalar) * sign < 0) put(value)
}

/**
 * Compares values in the order of the stores: null first, numbers as numbers, text by its UTF-8 bytes, false before
 * true.
 */
export function compareScalars(a: Scalar | undefined, b: Scalar | undefined): number {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : -1
  if (b === null || b === undefined) return 1
  if (typeof a === 'string' && typeof b === 'string') {
    return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  return Number(a) - Number(b)
}

/** Returns the slot of a dotted path. Creates objects on the way if `make` is true. */
function slot(document: Json, path: string, make = true) {
  const names = path.split('.')
  const last = names.pop() ?? path
  let place: Json | undefined = document
  for (const name of names) {
    const next: unknown = place?.[name]
    if (next !== undefined && (next === null || typeof next !== 'object' || Array.isArray(next))) {
      if (make) throw new TypeError(`${path} leads through a value that is not an object`)
      place = undefined
    } else if (next === undefined && place && make) {
      const made: Json = {}
      place[name] = made
      place = made
    } else place = next as Json | undefined
  }
  const holder = place
  return {
    has: () => holder?.[last] !== undefined,
    get: () => holder?.[last],
    put: (value: unknown) => {
      if (!holder) return
      if (value === undefined) delete holder[last]
      else holder[last] = value
    },
  }
}
