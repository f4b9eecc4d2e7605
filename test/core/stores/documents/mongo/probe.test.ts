import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { mongo } from 'mongoose'
import { openMongo } from '../../../../../core/stores/documents/mongo'
import { missingNeeds } from '../../../../../core/stores/documents/mongo/probe'
import { UnavailableError } from '../../../../../core/stores/documents/port'
import { type Answer, fakeMongod } from '../../../../support/fake-mongod'
import { mongoUri } from '../../../../support/mongo'
import { describeWith } from '../../../../support/needs'
import { quietLog as log } from '../../../../support/quiet-log'

const open: { stop(): unknown }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.stop()
})

const now = () => new Date()
const inTwoHours = new Date(Date.now() + 7_200_000)
/** The answers of a server that has everything. */
const good: Readonly<Record<string, Answer>> = {
  createIndexes: { ok: 1 },
  findAndModify: { ok: 1, n: 1, value: { _id: 'a', count: 1, ends: inTwoHours } },
  insert: { ok: 1, n: 0, writeErrors: [{ index: 0, code: 11000, errmsg: 'duplicate key' }] },
  delete: { ok: 1, n: 1 },
}

/** Opens a server that answers some commands otherwise. Returns what the opening says. */
async function openingOf(other: Readonly<Record<string, Answer>>): Promise<unknown> {
  const answers: Readonly<Record<string, Answer>> = { ...good, ...other }
  const server = fakeMongod((command) => {
    const name = Object.keys(answers).find((one) => one in command)
    return (name && answers[name]) || { ok: 1 }
  })
  open.push(server)
  const opened = openMongo({ uri: server.uri, now, log, isProbed: true })
  return opened.then(
    (documents) => documents.close(),
    (error) => error,
  )
}

test('a server that has everything is opened', async () => {
  expect(await openingOf({})).toBeUndefined()
})

test.each<[string, Readonly<Record<string, Answer>>, RegExp]>([
  [
    'without $$NOW',
    { findAndModify: { ok: 0, code: 17276, errmsg: 'Use of undefined variable: NOW' } },
    /^the server does not have updates with a pipeline that reads \$\$NOW .*undefined variable: NOW\)$/,
  ],
  [
    'that stores nothing for $$NOW',
    { findAndModify: { ok: 1, value: { _id: 'a', count: 1, ends: null } } },
    /reads \$\$NOW .*accepted and has no effect/,
  ],
  [
    'without partial and TTL indexes',
    { createIndexes: { ok: 0, code: 67, errmsg: 'partialFilterExpression is not supported' } },
    /partialFilterExpression.*, nor TTL indexes/,
  ],
  [
    'whose unique indexes refuse nothing',
    { insert: { ok: 1, n: 1 } },
    /an index that refuses a second row with the same values \(it is accepted/,
  ],
])('a server %s is refused by name', async (_, other, words) => {
  const error = await openingOf(other)
  expect(error).toBeInstanceOf(Error)
  expect((error as Error).message).toMatch(words)
})

test('a server that goes away during the probe lacks nothing', async () => {
  const away = await openingOf({ findAndModify: { ok: 0, code: 10107, errmsg: 'not primary' } })
  expect(away).toBeInstanceOf(UnavailableError)
})

test('a user without rights is told so', async () => {
  const error = await openingOf({ createIndexes: { ok: 0, code: 13, errmsg: 'not authorized on a' } })
  expect((error as Error).message).toBe('not authorized on a')
})

describeWith('MongoDB')('a MongoDB server', () => {
  const client = new mongo.MongoClient(mongoUri() ?? 'mongodb://127.0.0.1:9/none')
  beforeAll(async () => {
    await client.connect()
  })
  afterAll(async () => {
    await client.db().dropDatabase()
    await client.close()
  })

  test('has what Renown needs, also when it is probed by several at once', async () => {
    const found = await Promise.all(Array.from({ length: 4 }, () => missingNeeds(client.db(), now())))
    expect(found).toEqual([[], [], [], []])
    expect(await client.db().collection('RenownProbe').countDocuments()).toBe(0)
  })
})
