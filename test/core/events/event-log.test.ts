import { afterEach, beforeEach, expect, test } from 'bun:test'
import * as v from 'valibot'
import type { EventType } from '../../../core/contracts/event-type'
import { EventEntry } from '../../../core/events/EventEntry'
import { createEventLog } from '../../../core/events/event-log'
import { defineEvent, where } from '../../../core/kit'
import { openMongo } from '../../../core/stores/documents/mongo'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { describeStores, mongoUri } from '../../support/mongo'
import { quietLog } from '../../support/quiet-log'
import { passTime } from '../../support/wait-for'

const clock = { now: () => new Date() }
const made = defineEvent({
  name: 'note.made',
  summary: 'A note was made.',
  data: v.strictObject({ n: v.number() }),
  example: { n: 1 },
})
const stores = {
  SQLite: () => openSqlite({ path: ':memory:', now: clock.now, log: quietLog }),
  MongoDB: () => openMongo({ uri: mongoUri() ?? '', now: clock.now, log: quietLog }),
}

describeStores<() => Promise<Documents>>(stores, 'The log of events on %s', (_, open) => {
  let documents: Documents
  beforeEach(async () => {
    documents = await open()
    await documents.ensure([EventEntry])
  })
  afterEach(() => documents.close())

  const logOf = () => createEventLog({ documents, clock })
  const all = (workspace_id: string) =>
    documents.collection(EventEntry).find({
      where: where.eq('workspace_id', workspace_id),
      sort: [{ field: 'seq', direction: 'asc' }],
    })
  const event = (n: number, key: string, workspace_id = 'wsp_1') => ({ workspace_id, key, data: { n } })

  test('numbers the events of each workspace without gaps, also when many are recorded at once', async () => {
    const log = logOf()
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => log.append(made, event(n, String(n), `wsp_${n % 2}`))),
    )
    for (const workspace of ['wsp_0', 'wsp_1']) {
      expect((await all(workspace)).map(({ seq }) => seq)).toEqual(
        Array.from({ length: 20 }, (_, n) => n + 1),
      )
    }
  })

  test('records an event once per key, whoever repeats it', async () => {
    const logs = [logOf(), logOf()]
    const written = await Promise.all(
      Array.from({ length: 12 }, (_, n) => logs[n % 2]?.append(made, event(n, 'same'))),
    )
    expect(written.filter((one) => one !== null)).toHaveLength(1)
    expect(await all('wsp_1')).toHaveLength(1)
  })

  test('processes that append to one log give no number twice, and no reader misses an event', async () => {
    // Another process has a line of its own.
    const other = { ...documents, collection: documents.collection.bind(documents) } as Documents
    const logs = [createEventLog({ documents: other, clock }), logOf()]
    const seen: number[] = []
    const writing = Promise.all(
      Array.from({ length: 30 }, (_, n) => logs[n % 2]?.append(made, event(n, String(n)))),
    )
    let isDone = false
    const reading = (async () => {
      for (let after = 0; ; ) {
        const wasDone = isDone
        const found = (await all('wsp_1')).filter(({ seq }) => seq > after)
        seen.push(...found.map(({ seq }) => seq))
        after = seen.at(-1) ?? 0
        if (wasDone) return
        await passTime(1)
      }
    })()
    await writing
    isDone = true
    await reading
    expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => n + 1))
  })

  test('refuses data that its type does not declare, and a key that is too long', async () => {
    const wrong = { ...event(1, 'a'), data: { n: 1, text: 'of a stranger' } }
    await expect(logOf().append(made as EventType, wrong)).rejects.toThrow('text')
    await expect(logOf().append(made, event(1, 'k'.repeat(201)))).rejects.toThrow('too long')
    expect(await all('wsp_1')).toEqual([])
  })
})
