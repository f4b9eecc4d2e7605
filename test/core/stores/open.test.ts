import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../../core/process/config'
import { StartError } from '../../../core/process/start-error'
import { openDocuments } from '../../../core/stores/open'
import { quietLog as log } from '../../support/quiet-log'

const root = mkdtempSync(join(tmpdir(), 'renown-open-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const now = () => new Date()

/** A database that another process still uses. */
function lockedDatabase(name: string) {
  const folder = mkdtempSync(join(root, name))
  const other = new Database(join(folder, 'documents.sqlite'), { create: true })
  other.exec(
    'PRAGMA journal_mode = WAL; PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE held (id); BEGIN EXCLUSIVE',
  )
  return { folder, release: () => other.close() }
}

test('a start waits for a database that another process is releasing', async () => {
  const { folder, release } = lockedDatabase('released-')
  setTimeout(release, 1_200)
  const documents = await openDocuments(readConfig({}), folder, { log, now, isPatient: true })
  await documents.ping()
  await documents.close()
}, 30_000)

test('a command does not wait for it, and says what holds it up', async () => {
  const { folder, release } = lockedDatabase('held-')
  const opened = openDocuments(readConfig({}), folder, { log, now, isPatient: false })
  const error = await opened.then(
    () => null,
    (error: unknown) => error,
  )
  release()
  expect(error).toBeInstanceOf(StartError)
  expect((error as StartError).held).toBe(true)
}, 30_000)
