import { tracedMethods } from '../work/traces'
import type { ColumnsStore } from './columns/port'
import { anyRows, type Documents, typedCollection } from './documents/port'

const rowMethods = [
  'get',
  'find',
  'findJson',
  'findJoined',
  'count',
  'group',
  'groupEntries',
  'insert',
  'insertMany',
  'updateOne',
  'updateMany',
  'remove',
  'examined',
] as const

/** The documents, with a span for each operation on a collection. It names the collection and never a filter. */
export const tracedDocuments = (documents: Documents): Documents => ({
  ...documents,
  collection: typedCollection((entity) =>
    tracedMethods(anyRows(documents.collection(entity)), rowMethods, (method) => ({
      name: `${method} ${entity.name}`,
      values: {
        'db.system.name': documents.kind === 'mongodb' ? 'mongodb' : 'sqlite',
        'db.operation.name': method,
        'db.collection.name': entity.name,
      },
    })),
  ),
})

/** The columns, with a span for each statement. It has no text of the statement, which contains names of clients. */
export const tracedColumns = (columns: ColumnsStore): ColumnsStore =>
  tracedMethods(columns, ['query', 'text', 'insert', 'remove'], (method) => ({
    name: `${method} columns`,
    values: { 'db.system.name': 'clickhouse', 'db.operation.name': method },
  }))
