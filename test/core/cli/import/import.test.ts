import { afterAll, describe, expect, test } from 'bun:test'
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { importSource } from '../../../../core/cli/import/import-run'
import { openSource } from '../../../../core/cli/import/import-source'
import { CommandError } from '../../../../core/cli/link'
import type { ImportAnswer } from '../../../../core/contracts/traffic'

const root = mkdtempSync(join(tmpdir(), 'renown-import-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const fresh = () => mkdtempSync(join(root, `f${++folders}-`))

/** A product that counts each batch id once, as the ingest does; it may die before or after it has counted. */
function counter(dies?: (batch: number) => 'before' | 'after' | false) {
  const seen = new Set<string>()
  const lines: string[] = []
  let batches = 0
  const post = async (path: string, body?: unknown) => {
    const death = dies?.(++batches)
    if (death === 'before') throw new CommandError('killed', 'internal')
    const id = new URL(`http://x${path}`).searchParams.get('batch') ?? ''
    const text = new TextDecoder().decode(body as Uint8Array)
    const fresh = text.split('\n').filter(Boolean)
    const isRepeat = seen.has(id)
    seen.add(id)
    if (!isRepeat) lines.push(...fresh)
    if (death === 'after') throw new CommandError('killed', 'internal')
    const count = isRepeat ? 0 : fresh.length
    const reasons = fresh.flatMap((line, place) =>
      line === 'bad' ? [{ line: place + 1, reason: 'odd' }] : [],
    )
    return {
      accepted: count,
      ignored: 0,
      rejected: 0,
      duplicate: isRepeat ? fresh.length : 0,
      reasons,
      agents: { GPTBot: fresh.length },
    } satisfies ImportAnswer
  }
  return { lines, link: { post: post as <T>(path: string, body?: unknown) => Promise<T> } }
}

const log = (count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => `line ${from + place} ${'x'.repeat(100)}\n`).join('')
const expected = (text: string) => text.split('\n').filter(Boolean)

function job(path: string, link: ReturnType<typeof counter>['link'], dataFolder: string, siteId = 'sit_1') {
  return {
    link,
    source: openSource(path, () => (async function* () {})()),
    siteId,
    dataFolder,
    now: () => new Date(0),
    isStopping: () => false,
    onProgress: () => {},
  }
}

describe('what is read', () => {
  const text = log(50_000)
  test.each([
    ['plain', Buffer.from(text)],
    ['gzip', gzipSync(text)],
    ['gzip in several members', Buffer.concat([gzipSync(text.slice(0, 1_000)), gzipSync(text.slice(1_000))])],
    ['zstd', zstdCompressSync(text)],
    ['JSON array', Buffer.from(JSON.stringify(expected(text).map((line) => ({ line }))))],
  ])('%s, told by content', async (kind, content) => {
    const path = join(fresh(), 'log')
    writeFileSync(path, content)
    const { lines, link } = counter()
    const { tally } = await importSource(job(path, link, fresh()))
    const wanted = expected(text)
    expect(lines.length).toBe(wanted.length)
    expect(tally.lines).toBe(wanted.length)
    expect(kind === 'JSON array' ? lines.map((line) => JSON.parse(line).line) : lines).toEqual(wanted)
  })

  test('a file that was cut short is said to be, and what stands before the cut is counted', async () => {
    const path = join(fresh(), 'log.gz')
    writeFileSync(path, gzipSync(log(200_000), { level: 1 }).subarray(0, -5_000))
    const { link } = counter()
    await expect(importSource(job(path, link, fresh()))).rejects.toThrow('damaged or incomplete')
  })

  test('an empty file is no fault', async () => {
    const path = join(fresh(), 'log')
    writeFileSync(path, '')
    expect((await importSource(job(path, counter().link, fresh()))).tally.lines).toBe(0)
  })

  test('reasons name lines of the file, not of a chunk', async () => {
    const path = join(fresh(), 'log')
    writeFileSync(path, `${log(45_000)}bad\n`)
    const { reasons } = await importSource(job(path, counter().link, fresh()))
    expect(reasons).toEqual([{ line: 45_001, reason: 'odd' }])
  })
})

describe('an import that was killed', () => {
  for (const death of ['before', 'after'] as const) {
    test(`${death} a chunk was counted goes on where it stopped and counts every line once`, async () => {
      const path = join(fresh(), 'log')
      const data = fresh()
      const text = log(260_000)
      writeFileSync(path, text)
      const { lines, link } = counter((batch) => (batch % 3 === 0 ? death : false))
      let runs = 0
      for (;;) {
        runs++
        const done = await importSource(job(path, link, data)).catch(() => null)
        if (done) break
      }
      expect(runs).toBeGreaterThan(2)
      // Which of two chunks under way is counted first does not matter.
      expect(lines.toSorted()).toEqual(expected(text).toSorted())
    })
  }

  test('is not counted twice when the log has grown meanwhile', async () => {
    const path = join(fresh(), 'log')
    const data = fresh()
    writeFileSync(path, log(100))
    const { lines, link } = counter((batch) => (batch === 1 ? 'after' : false))
    await importSource(job(path, link, data)).catch(() => null)
    appendFileSync(path, log(50, 100))
    await importSource(job(path, link, data))
    expect(lines).toEqual(expected(log(150)))
  })
})

describe('a log that was imported before', () => {
  test('counts only what was added, also under another name and compressed', async () => {
    const folder = fresh()
    const data = fresh()
    const path = join(folder, 'access.log')
    writeFileSync(path, log(300))
    const { lines, link } = counter()
    await importSource(job(path, link, data))
    expect((await importSource(job(path, link, data))).tally.lines).toBe(0)
    appendFileSync(path, log(20, 300))
    renameSync(path, join(folder, 'access.log.1'))
    writeFileSync(join(folder, 'access.log.2.gz'), gzipSync(log(320)))
    const second = await importSource(job(join(folder, 'access.log.1'), link, data))
    expect(second).toMatchObject({ resumed_at_line: 300, tally: { lines: 20 } })
    expect((await importSource(job(join(folder, 'access.log.2.gz'), link, data))).tally.lines).toBe(0)
    expect(lines).toEqual(expected(log(320)))
  })

  test('is counted anew for another site, and when another log begins with the same line', async () => {
    const folder = fresh()
    const data = fresh()
    const one = join(folder, 'one')
    const other = join(folder, 'other')
    writeFileSync(one, `same\n${log(10)}`)
    writeFileSync(other, `same\n${log(10, 50)}`)
    const { lines, link } = counter()
    await importSource(job(one, link, data))
    await importSource(job(one, link, data, 'sit_2'))
    await importSource(job(other, link, data))
    await importSource(job(one, link, data))
    expect(lines.filter((line) => line === 'same').length).toBe(3)
    expect(lines.length).toBe(33)
  })
})
