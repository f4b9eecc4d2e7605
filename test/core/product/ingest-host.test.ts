import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flushHits } from '../../../core/product/ingest-host'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renown-flush-'))
  await mkdir(join(folder, 'journal', 'ingest'), { recursive: true })
  await mkdir(join(folder, 'empty'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['on', '', 'empty', 1, true],
  ['on', 'secret', 'journal', 1, false],
  // What an ingest left that was turned off since.
  ['off', '', 'journal', 1, true],
  ['off', '', 'empty', 0, true],
  // An ingest of its own can have the journal open.
  ['off', 'secret', 'journal', 0, false],
] as const)(
  'with RENOWN_INGEST=%s, the secret %j and a folder with %s, the journal is flushed %i times',
  async (RENOWN_INGEST, RENOWN_INGEST_SECRET, name, flushes, isWhole) => {
    let count = 0
    const ingest = async () => ({
      flush: async () => {
        count++
      },
    })
    const settings = { RENOWN_INGEST, RENOWN_INGEST_SECRET }
    expect([await flushHits(settings, join(folder, name), ingest), count]).toEqual([isWhole, flushes])
  },
)
