import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../../../core/log'
import { openSqlite } from '../../../../core/stores/documents/sqlite'
import { documentsConformance } from '../../../support/documents-conformance'

const log = createLog(
  'error',
  () => undefined,
  () => new Date(),
)
const now = () => new Date()

documentsConformance('SQLite in memory', async () => {
  const documents = await openSqlite({ path: ':memory:', now, log })
  return { documents, close: () => documents.close() }
})

documentsConformance('SQLite in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'renown-sqlite-'))
  const documents = await openSqlite({ path: join(folder, 'documents.db'), now, log })
  return {
    documents,
    close: async () => {
      await documents.close()
      await rm(folder, { recursive: true })
    },
  }
})
