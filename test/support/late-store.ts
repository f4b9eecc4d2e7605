import type { AnyEntity } from '../../core/contracts/entity'
import type { Collection, Documents, Patch } from '../../core/stores/documents/port'

/** A store whose writes end a turn of the event loop late. */
export interface LateStore {
  readonly documents: Documents
  /**
   * The writes that have not ended, and those that began after one that was open. A missing `await` shows
   * as one of them.
   */
  readonly open: () => readonly string[]
}

const writes = ['insert', 'insertMany', 'updateOne', 'updateMany', 'remove'] as const

/** Wraps a store so that a test sees whether an answer comes before the writes that belong to it. */
export function lateStore(store: Documents): LateStore {
  const open = new Set<{ readonly name: string; readonly turn: number }>()
  const early: string[] = []
  let turn = 0
  const late = <T>(name: string, made: Promise<T>): Promise<T> => {
    const write = { name, turn }
    for (const other of open) if (other.turn !== turn) early.push(`${name} began before ${other.name} ended`)
    open.add(write)
    queueMicrotask(() => turn++)
    return made.finally(async () => {
      for (let wait = 0; wait < 3; wait++) await new Promise((resolve) => setImmediate(resolve))
      open.delete(write)
    })
  }
  const known = new WeakMap<AnyEntity, Collection>()
  const wrapped = (entity: AnyEntity): Collection => {
    const made = known.get(entity) ?? watched(store.collection(entity), entity.name, late)
    known.set(entity, made)
    return made
  }
  const documents = { ...store, collection: wrapped as unknown as Documents['collection'] }
  return { documents, open: () => [...early, ...[...open].map(({ name }) => name)] }
}

function watched(
  collection: Collection,
  entity: string,
  late: <T>(name: string, made: Promise<T>) => Promise<T>,
): Collection {
  const calls = writes.map((name) => {
    const write = collection[name] as (...given: unknown[]) => Promise<unknown>
    const call = (...given: unknown[]) => {
      const made = write(...given)
      return isTouch(given[1]) ? made : late(`${entity}.${name}`, made)
    }
    return [name, call] as const
  })
  return { ...collection, ...Object.fromEntries(calls) }
}

/** Whether a write only records that something was used. Nobody waits for it. */
function isTouch(patch: unknown): boolean {
  const { set = {} } = (patch ?? {}) as Patch
  const names = Object.keys(set)
  return names.includes('last_used_at') && names.every((name) => /^(last_used_at|updated_date)$/.test(name))
}
