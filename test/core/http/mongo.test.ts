import { afterAll, beforeAll, expect, test } from 'bun:test'
import mongoose from 'mongoose'
import { agentKeys } from '../../../core/auth/agent-keys'
import { everything } from '../../../core/contracts/where'
import { openMongo } from '../../../core/stores/documents/mongo'
import type { Documents } from '../../../core/stores/documents/port'
import leads from '../../../plugins/leads'
import { type AskOptions, type Gate, startGate } from '../../support/harness'
import { mongoUri } from '../../support/mongo'
import { describeWith } from '../../support/needs'
import { Note, notes } from '../../support/notes-plugin'
import { quietLog as log } from '../../support/quiet-log'
import { testPlugin } from '../../support/test-plugin'

const uri = mongoUri()

describeWith('MongoDB')('the gate on MongoDB', () => {
  let documents: Documents
  let gate: Gate
  const open = async () => {
    documents ??= await openMongo({ uri: uri ?? '', now: () => new Date(), log })
    return documents
  }
  beforeAll(async () => {
    gate = await startGate({
      plugins: [notes],
      documents: await open(),
      settings: { LIMIT_DRAFTS_PER_DAY: '30' },
    })
  }, 90_000)
  afterAll(async () => {
    await gate.stop()
    await documents.close()
    const client = new mongoose.mongo.MongoClient(uri ?? '')
    await client.db().dropDatabase()
    await client.close()
  })

  testPlugin(notes, { documents: open })
  testPlugin(leads, { documents: open })

  const draft = (title: string, key: string, more: AskOptions = {}) =>
    gate.call('draftNote', { title }, { ...more, headers: { 'idempotency-key': key } })

  test('an Idempotency-Key writes once, however many come at the same time', async () => {
    const before = await documents.collection(Note).count(everything)
    await Promise.all(Array.from({ length: 6 }, () => draft('rush', 'm1')))
    expect(await documents.collection(Note).count(everything)).toBe(before + 1)
    expect((await draft('rush', 'm1')).headers.get('idempotent-replayed')).toBe('true')
    expect((await draft('other', 'm1')).status).toBe(409)
  })

  test('a unique value that is taken is a conflict', async () => {
    const put = () => gate.call('draftNote', { title: 'x', slug: 'mongo-once' })
    expect([(await put()).status, (await put()).status]).toEqual([200, 409])
    expect((await gate.call('draftNote', { title: 'without a slug' })).status).toBe(200)
    expect((await gate.call('draftNote', { title: 'without a slug' })).status).toBe(200)
  })

  test('a rotated key works, and no key of before', async () => {
    const keys = agentKeys({ documents, clock: gate.clock })
    const status = async (key: string) => (await gate.ask('/api/surface', { key })).status
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => keys.rotate(gate.stranger.agencyId)),
    )
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.token] : []))
    const answers = await Promise.all(made.map(status))
    expect(answers.filter((answer) => answer === 200).length).toBe(1)
    expect(await status(gate.stranger.key)).toBe(401)
  })

  test('a daily quota is counted in the store', async () => {
    const left = async () => {
      const response = await gate.call('draftNote', { title: 'count' })
      return Number(/"drafts-day";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1])
    }
    const first = await left()
    expect(await left()).toBe(first - 1)
  })
})
