import { expect, test } from 'bun:test'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { type Journal, type JournalEntry, openJournal } from '../../../ingest/journal/journal'
import { framedAtOnce } from '../../../ingest/journal/large-frame'
import { countedHit } from '../../support/counted-hit'
import { inTemporaryFolder, readJournal, silentLog } from '../support/journal'

const now = () => new Date(1_795_200_000_000)
const many = 2 * framedAtOnce + 1
const hitsOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => countedHit({ site_id: 'site_1', path: `/${name}/${n}`, ts: n }))
const large: JournalEntry = {
  hits: hitsOf('large', many),
  batch: { id: 'large', accepted: many, ignored: 0, rejected: 0, duplicate: 0, at: 0 },
}
const pathsIn = async (directory: string) => (await readJournal(directory)).hits.map(({ path }) => path)

/** Runs a journal that waits before each slice of a large entry until it may go on. */
const withSteps = (
  work: (given: {
    journal: Journal
    folder: string
    written: Promise<string>
    step: () => Promise<void>
  }) => Promise<void>,
) =>
  inTemporaryFolder(async (folder) => {
    const journal = await openJournal({ directory: join(folder, 'a'), now, log: silentLog })
    let go = Promise.withResolvers<void>()
    const written = journal.append({ ...large, turn: () => go.promise }).then(
      () => 'written',
      (error: Error) => error.message,
    )
    const step = async () => {
      const before = go
      go = Promise.withResolvers()
      before.resolve()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await work({ journal, folder: join(folder, 'a'), written, step })
    await journal.stop()
  })

const slices = 4

test('others are written while a large entry takes turns, and of it nothing is on the disk until it is whole', () =>
  withSteps(async ({ journal, folder, written, step }) => {
    for (let n = 0; n < slices - 1; n++) {
      await step()
      await journal.append({ hits: hitsOf(`small${n}`, 1) })
      const copy = `${folder}-copy${n}`
      await cp(folder, copy, { recursive: true })
      const survivor = await openJournal({ directory: copy, now, log: silentLog })
      await survivor.stop()
      expect(await pathsIn(copy)).toEqual(Array.from({ length: n + 1 }, (_, at) => `/small${at}/0`))
    }
    await step()
    expect(await written).toBe('written')
    await cp(folder, `${folder}-last`, { recursive: true })
    const survivor = await openJournal({ directory: `${folder}-last`, now, log: silentLog })
    await survivor.stop()
    expect(await pathsIn(`${folder}-last`)).toEqual([
      '/small0/0',
      '/small1/0',
      '/small2/0',
      ...large.hits.map(({ path }) => path),
    ])
    expect((await readJournal(`${folder}-last`)).hits).toHaveLength(many + slices - 1)
  }))

test('a journal that stops in the middle refuses the entry, and holds nothing of it', () =>
  withSteps(async ({ journal, folder, written, step }) => {
    await step()
    await journal.stop()
    for (let n = 0; n < slices; n++) await step()
    expect(await written).toBe('the ingest is stopping')
    expect(await pathsIn(folder)).toEqual([])
  }))
