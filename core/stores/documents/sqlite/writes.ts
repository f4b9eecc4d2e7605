import type { AnyEntity } from '../../../contracts/entity'
import { type Collection, ConflictError, type TogetherWrite } from '../port'
import { layoutOf } from './layout'
import type { CollectionParts } from './parts'
import { createRowWriter } from './rows'

/** Rows that are inserted in one turn. More would block other requests. */
const insertChunk = 200
/** Rows that are changed or removed in one turn. */
const updateChunk = 500
const removeChunk = 1000

type Writes = Pick<Collection, 'insert' | 'insertMany' | 'updateOne' | 'updateMany' | 'remove'>

/** Writes to a collection, split into turns of the writer. */
export function createWrites({ connection, writer: queue, layout, now, writes }: CollectionParts): Writes {
  const writer = {
    // Counts in the turn that commits, because nobody can read in between.
    write: <T>(run: () => T) =>
      queue.write(() => {
        writes.count++
        return run()
      }),
  }
  const row = createRowWriter(connection, layout, now)
  return {
    insert: (document) => writer.write(() => row.insert(document)),
    insertMany: async (documents) => {
      const failures: { index: number; error: ConflictError }[] = []
      const insertSome = (from: number) => {
        for (const [offset, document] of documents.slice(from, from + insertChunk).entries()) {
          try {
            row.insert(document)
          } catch (error) {
            if (!(error instanceof ConflictError)) throw error
            failures.push({ index: from + offset, error })
          }
        }
      }
      for (let from = 0; from < documents.length; from += insertChunk) {
        await writer.write(() => insertSome(from))
      }
      return { inserted: documents.length - failures.length, failures }
    },
    updateOne: (where, patch, options = {}) => writer.write(() => row.updateOne(where, patch, options)),
    updateMany: async (where, patch) => {
      let total = 0
      for (let behind = -1; ; ) {
        const { changed, last } = await writer.write(() => row.updateSome(where, patch, behind))
        total += changed
        if (changed < updateChunk) return total
        behind = last
      }
    },
    remove: async (where) => {
      for (let total = 0; ; ) {
        const removed = await writer.write(() => row.removeSome(where))
        total += removed
        if (removed < removeChunk) return total
      }
    },
  }
}

interface TogetherParts extends Pick<CollectionParts, 'connection' | 'writer' | 'now'> {
  /** Returns the number of writes to the rows of an entity. */
  counterOf(entity: AnyEntity): { count: number }
}

/** Runs writes in one turn of the writer, which undoes all of them if one fails. */
export function writeTogether(
  writes: readonly TogetherWrite[],
  { connection, writer, now, counterOf }: TogetherParts,
): Promise<void> {
  return writer.write(() => {
    for (const write of writes) {
      counterOf(write.entity).count++
      const row = createRowWriter(connection, layoutOf(write.entity), now)
      if ('insert' in write) row.insert(write.insert)
      else row.updateOne(write.where, write.patch, {})
    }
  })
}
