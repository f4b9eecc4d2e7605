import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { EventEntry } from '../../core/events/EventEntry'
import { firstLine } from '../support/first-line'
import { mcpRequest, revisions } from '../support/mcp'
import { openPolled, polledTypes, publishAll } from '../support/polled-process'

const kills = Number(process.env.RENOWN_KILLS ?? (process.env.RENOWN_LONG === '1' ? 200 : 2))
/** Events that each process adds, if nobody kills it. */
const each = 40
const program = resolve(import.meta.dir, '../support/polled-process.ts')

interface Answer {
  readonly events: readonly { readonly eventId: string; readonly data: { readonly n: number } }[]
  readonly cursor: string
  readonly truncated: boolean
  readonly hasMore: boolean
}

/** A client of one type that stores what it got together with its cursor. */
interface Reader {
  readonly name: string
  readonly got: { readonly id: string; readonly n: number }[]
  cursor: string
  lostAnswers: number
}

test(`readers that keep their cursors get each event once, though the gateway is killed ${kills} times`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'renown-polls-'))
  const path = join(folder, 'documents.sqlite')
  const first = await openPolled(path)
  const { workspaceId, key } = first.tenant
  await first.stop()
  await first.documents.close()
  const readers = polledTypes.map(({ name }): Reader => ({ name, got: [], cursor: 'start', lostAnswers: 0 }))
  const ask = async (send: (request: ReturnType<typeof mcpRequest>) => Promise<Response>, reader: Reader) => {
    const revision = revisions[Math.floor(Math.random() * revisions.length)] ?? revisions[0]
    const { name, cursor } = reader
    const maxEvents = 1 + Math.floor(Math.random() * 7)
    const response = await send(mcpRequest(revision, 'events/poll', { name, cursor, maxEvents }))
    const { result } = (await response.json()) as { result: Answer }
    expect(result.truncated).toBe(false)
    reader.got.push(...result.events.map(({ eventId, data }) => ({ id: eventId, n: data.n })))
    reader.cursor = result.cursor
    return result.hasMore
  }
  let published = 0
  for (let killed = 0; killed < kills; killed++) {
    published += each
    const running = Bun.spawn([process.execPath, program, path, workspaceId, String(published)], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const port = (await firstLine(running.stdout)).trim()
    const send = ({ headers, body }: ReturnType<typeof mcpRequest>) =>
      fetch(`http://127.0.0.1:${port}/api/mcp`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      })
    const count = () => readers.reduce((sum, { got }) => sum + got.length, 0)
    const target = count() + 1 + Math.floor(Math.random() * each * 0.8)
    while (count() < target) for (const reader of readers) await ask(send, reader)
    // Killed while its last answers are on their way: a reader either stores an answer with its cursor, or neither.
    const asked = readers.map((reader) =>
      ask(send, reader).catch(() => {
        reader.lostAnswers += 1
      }),
    )
    if (killed % 2 === 0) await Promise.race(asked)
    running.kill('SIGKILL')
    expect(await running.exited).toBe(137)
    await Promise.all(asked)
  }

  const last = await openPolled(path)
  await publishAll(last, workspaceId, published)
  const send = ({ headers, body }: ReturnType<typeof mcpRequest>) =>
    last.ask('/api/mcp', { method: 'POST', headers, body, key })
  for (const reader of readers) while (await ask(send, reader)) {}
  const log = await last.owner
    .rows(EventEntry)
    .list({ sort: [{ field: 'seq', direction: 'asc' }], limit: 100_000 })
  await last.stop()
  await last.documents.close()
  rmSync(folder, { recursive: true, force: true })

  expect(log.map(({ data }) => Number(data.n)).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: published }, (_, n) => n),
  )
  for (const { name, got } of readers)
    expect(got.map(({ id }) => id)).toEqual(log.filter(({ type }) => type === name).map(({ id }) => id))
  if (process.env.RENOWN_KILLS)
    console.log({ published, kills, lost: readers.map(({ lostAnswers }) => lostAnswers) })
}, 3_600_000)
