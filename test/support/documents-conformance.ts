import { afterAll, beforeAll, beforeEach, describe, expect } from 'bun:test'
import type { SortKey, Where } from 'renown'
import { anyRows, type Collection, type Document, type Documents } from '../../core/stores/documents/port'
import { grouping, lists } from './conformance/lists'
import { matching, storing } from './conformance/matching'
import { ordering, paging } from './conformance/paging'
import { texts } from './conformance/texts'
import { all, asc } from './conformance/tools'
import { uniqueness } from './conformance/uniqueness'
import { claiming, updating } from './conformance/updating'
import { Sample } from './sample-entity'

/** Opens an empty store; `close` removes what it left. */
export interface StoreUnderTest {
  readonly documents: Documents
  close(): Promise<void>
}

/** The guarantees of the documents port; both adapters are held to every one. */
export function documentsConformance(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`documents on ${name}`, () => {
    let store: StoreUnderTest
    let rows: Collection
    beforeAll(async () => {
      store = await open()
      await store.documents.ensure([Sample])
      await store.documents.ensure([Sample])
      rows = anyRows(store.documents.collection(Sample))
    })
    afterAll(() => store.close())
    beforeEach(async () => {
      await rows.remove(all)
    })
    const put = async (...documents: Document[]) => {
      expect(await rows.insertMany(documents)).toEqual({ inserted: documents.length, failures: [] })
    }
    const ids = async (where: Where, sort: SortKey[] = [asc('id')]) =>
      (await rows.find({ where, sort })).map(({ id }) => Number(id.slice(4)))
    const tools = { put, ids, rows: () => rows, documents: () => store.documents }
    storing(tools)
    matching(tools)
    texts(tools)
    ordering(tools)
    paging(tools)
    uniqueness(tools)
    updating(tools)
    claiming(tools)
    grouping(tools)
    lists(tools)
  })
}
