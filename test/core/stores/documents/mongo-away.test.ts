import { afterEach, describe, expect, test } from 'bun:test'
import { Error as MongooseError, mongo } from 'mongoose'
import { openMongo } from '../../../../core/stores/documents/mongo'
import { translated } from '../../../../core/stores/documents/mongo/errors'
import { openLink } from '../../../../core/stores/documents/mongo/link'
import { ConflictError, type Documents, UnavailableError } from '../../../../core/stores/documents/port'
import { all, eq, sample } from '../../../support/conformance/tools'
import { fakeMongod } from '../../../support/fake-mongod'
import { quietLog as log } from '../../../support/quiet-log'
import { Sample } from '../../../support/sample-entity'
import { passTime, soonMs, waitFor } from '../../../support/wait-for'

const now = () => new Date()
const open: { close(): unknown }[] = []
const kept = <T extends { close(): unknown }>(one: T): T => {
  open.push(one)
  return one
}
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})
const fake = (...given: Parameters<typeof fakeMongod>) => {
  const server = fakeMongod(...given)
  kept({ close: server.stop })
  return server
}
const ok = () => ({ ok: 1, n: 1, cursor: { id: 0n, ns: 'fake.Sample', firstBatch: [] } })
const isWrite = (command: Readonly<Record<string, unknown>>) =>
  ['insert', 'update', 'delete', 'findAndModify'].some((name) => name in command)
const quick = { heartbeatMs: 500, connectMs: 600, silentMs: 1_500, unknownMs: 600, watchEveryMs: 100 }

/** Every class of the driver, and what an error of it means: the store is away, or the command is wrong. */
const meanings: Readonly<Record<string, 'away' | 'fault'>> = {
  MongoAPIError: 'fault',
  MongoAWSError: 'fault',
  MongoAzureError: 'fault',
  MongoBatchReExecutionError: 'fault',
  MongoBulkWriteError: 'fault',
  MongoChangeStreamError: 'fault',
  MongoClientBulkWriteCursorError: 'fault',
  MongoClientBulkWriteError: 'fault',
  MongoClientBulkWriteExecutionError: 'fault',
  MongoClientClosedError: 'away',
  MongoCompatibilityError: 'fault',
  MongoCryptAzureKMSRequestError: 'fault',
  MongoCryptCreateDataKeyError: 'fault',
  MongoCryptCreateEncryptedCollectionError: 'fault',
  MongoCryptError: 'fault',
  MongoCryptInvalidArgumentError: 'fault',
  MongoCryptKMSRequestNetworkTimeoutError: 'fault',
  MongoCursorExhaustedError: 'fault',
  MongoCursorInUseError: 'fault',
  MongoDecompressionError: 'fault',
  MongoDriverError: 'fault',
  MongoError: 'fault',
  MongoGCPError: 'fault',
  MongoGridFSChunkError: 'fault',
  MongoGridFSStreamError: 'fault',
  MongoInvalidArgumentError: 'fault',
  MongoKerberosError: 'fault',
  MongoMissingCredentialsError: 'fault',
  MongoMissingDependencyError: 'fault',
  MongoNetworkError: 'away',
  MongoNetworkTimeoutError: 'away',
  MongoNotConnectedError: 'away',
  MongoOIDCError: 'fault',
  MongoOperationTimeoutError: 'away',
  MongoParseError: 'fault',
  MongoRuntimeError: 'fault',
  MongoServerClosedError: 'away',
  MongoServerError: 'fault',
  MongoServerSelectionError: 'away',
  MongoStalePrimaryError: 'away',
  MongoSystemError: 'fault',
  MongoTailableCursorError: 'fault',
  MongoTopologyClosedError: 'away',
  MongoTransactionError: 'fault',
  MongoUnexpectedServerResponseError: 'away',
  MongoWriteConcernError: 'away',
  MongoExpiredSessionError: 'away',
}

describe('an error of the driver', () => {
  const isError = (value: unknown): value is new () => Error =>
    typeof value === 'function' && (value === mongo.MongoError || value.prototype instanceof mongo.MongoError)
  const classes = Object.entries(mongo).filter(([, value]) => isError(value))

  test.each(classes)('%s has a meaning, also in a class that extends it', (name, known) => {
    const errorLabelSet = new Set<string>()
    const made = Object.assign(Object.create((known as new () => Error).prototype), { errorLabelSet })
    class Extended extends (known as new () => Error) {}
    const further = Object.assign(Object.create(Extended.prototype), { errorLabelSet })
    expect(Object.keys(meanings)).toContain(name)
    for (const error of [made, further]) {
      expect(translated(Sample, error) instanceof UnavailableError).toBe(meanings[name] === 'away')
    }
  })

  test.each([
    ['RetryableWriteError'],
    ['TransientTransactionError'],
    ['SystemOverloadedError'],
    ['HandshakeError'],
  ])('with the label %s passes', (label) => {
    const error = new mongo.MongoServerError({ message: 'sorry', code: 99_999, errorLabels: [label] })
    expect(translated(Sample, error)).toBeInstanceOf(UnavailableError)
  })

  test.each([
    [10107, 'away'],
    [11602, 'away'],
    [43, 'away'],
    [112, 'away'],
    [2, 'fault'],
    [18, 'fault'],
    [11000, 'conflict'],
  ])('of code %i is: %s', (code, meaning) => {
    const error = new mongo.MongoServerError({ message: 'E11000 index: a_1 dup key', code })
    const { name } = translated(Sample, error) as Error
    expect(name).toBe(
      { away: 'UnavailableError', fault: 'MongoServerError', conflict: 'ConflictError' }[meaning] ?? '',
    )
  })

  test('of mongoose that no server was found passes', () => {
    expect(translated(null, new MongooseError.MongooseServerSelectionError('none'))).toBeInstanceOf(
      UnavailableError,
    )
  })
})

describe('a MongoDB', () => {
  const documentsOf = async (uri: string, times = {}): Promise<Documents> =>
    kept(await openMongo({ uri, now, log, times: { ...quick, ...times } }))

  test('that refuses some rows as duplicates and others because it steps down is away, not in conflict', async () => {
    const writeErrors = [
      { index: 0, code: 11000, errmsg: 'E11000 index: _id_ dup key' },
      { index: 1, code: 10107, errmsg: 'not primary' },
    ]
    const server = fake((command) => ('insert' in command ? { ok: 1, n: 0, writeErrors } : ok()))
    const rows = (await documentsOf(server.uri)).collection(Sample)
    await expect(rows.insertMany([sample(1), sample(2)])).rejects.toBeInstanceOf(UnavailableError)
    await expect(rows.insertMany([sample(1), sample(2)])).rejects.not.toBeInstanceOf(ConflictError)
  })

  test('whose write concern fails beside duplicates has written nothing for certain', async () => {
    const writeErrors = [{ index: 0, code: 11000, errmsg: 'E11000 index: _id_ dup key' }]
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' }
    const server = fake((command) =>
      'insert' in command ? { ok: 1, n: 1, writeErrors, writeConcernError } : ok(),
    )
    const rows = (await documentsOf(server.uri)).collection(Sample)
    await expect(rows.insertMany([sample(1), sample(2)])).rejects.toBeInstanceOf(UnavailableError)
    await expect(rows.insert(sample(1))).rejects.toBeInstanceOf(UnavailableError)
  })

  test('whose write concern fails is away, for every kind of write', async () => {
    const writeConcernError = { code: 100, errmsg: 'not enough data-bearing nodes' }
    const server = fake((command) =>
      isWrite(command) ? { ok: 1, n: 1, value: null, writeConcernError } : ok(),
    )
    const rows = (await documentsOf(server.uri)).collection(Sample)
    const writes = [
      rows.insert(sample(1)),
      rows.insertMany([sample(1)]),
      rows.updateOne(eq('id', 'a'), { inc: { rank: 1 } }),
      rows.updateMany(eq('id', 'a'), { inc: { rank: 1 } }),
      rows.remove(eq('id', 'a')),
    ]
    for (const outcome of await Promise.allSettled(writes))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'UnavailableError' } })
  })

  test('that tells nothing of an index in a bulk is asked about each refused row alone', async () => {
    const refused = { code: 11000, errmsg: 'Duplicate key violation' }
    const keyPattern = { workspace_id: 1, unique_key: 1 }
    const answers = [
      { ok: 1, n: 1, writeErrors: [0, 2].map((index) => ({ index, ...refused })) },
      { ok: 1, n: 0, writeErrors: [{ index: 0, ...refused, keyPattern }] },
      { ok: 1, n: 1 },
    ]
    const server = fake((command) => ('insert' in command ? (answers.shift() ?? ok()) : ok()))
    const rows = (await documentsOf(server.uri)).collection(Sample)
    const { inserted, failures } = await rows.insertMany([sample(1), sample(2), sample(3)])
    expect(inserted).toBe(2)
    expect(failures.map(({ index, error }) => [index, error.fields])).toEqual([[0, ['unique_key']]])
  })

  test('that accepts and never answers is away, and works when it answers again', async () => {
    const server = fake(ok)
    const documents = await documentsOf(server.uri, {
      operationMs: 300,
      graceMs: 200,
      awayMs: 300,
      awayWaitMs: 200,
    })
    const rows = documents.collection(Sample)
    await rows.remove(all)
    server.state.isSilent = true
    const began = performance.now()
    const work = () => [
      rows.insert(sample(1)),
      rows.updateOne(eq('id', 'a'), { inc: { rank: 1 } }),
      documents.ping(),
    ]
    for (let round = 0; round < 3; round++) {
      for (const { status, reason } of (await Promise.allSettled(work())) as PromiseRejectedResult[]) {
        expect([status, reason?.name]).toEqual(['rejected', 'UnavailableError'])
      }
    }
    expect(performance.now() - began).toBeLessThan(soonMs)
    server.state.isSilent = false
    await waitFor(
      () =>
        documents.ping().then(
          () => true,
          () => false,
        ),
      { what: 'the server to be found again' },
    )
  })

  test('that is slow by a few seconds is waited for', async () => {
    const late = async () => {
      await passTime(2_500)
      return ok()
    }
    const server = fake((command) => ('ping' in command ? ok() : late()))
    const rows = (await documentsOf(server.uri)).collection(Sample)
    expect(await rows.remove(all)).toBe(1)
  })

  test('whose primary steps down is waited for, by writes that the server did not begin too', async () => {
    const notPrimary = { ok: 0, code: 10107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }
    const refused = (command: object) =>
      'txnNumber' in command ? { ...notPrimary, errorLabels: ['RetryableWriteError'] } : notPrimary
    const server = fake(
      (command) => (server.state.isPrimary || 'ping' in command ? ok() : refused(command)),
      'rs0',
    )
    const rows = (await documentsOf(`${server.uri}?replicaSet=rs0`)).collection(Sample)
    await rows.remove(all)
    server.state.isPrimary = false
    const work = Promise.allSettled([
      rows.insert(sample(1)),
      rows.remove(all),
      rows.updateMany(all, { inc: { rank: 1 } }),
      rows.count(all),
    ])
    await passTime(3_000)
    server.state.isPrimary = true
    const outcomes = await work
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
  })

  test('is found again by a new client if the monitor of the old one has ended for good', async () => {
    const server = fake(ok)
    const link = kept(await openLink({ uri: server.uri, log, times: quick }))
    const first = link.connection()
    const ping = () => link.run(async () => link.connection().db?.command({ ping: 1 }))
    await ping()
    // What was seen under Bun: the monitor believes that it still waits for a heartbeat.
    const { topology } = first.getClient() as unknown as {
      topology: { s: { servers: Map<string, StuckServer> } }
    }
    for (const one of topology.s.servers.values()) one.monitor.close()
    await waitFor(() => link.connection() !== first, { what: 'another client' })
    expect(await ping()).toMatchObject({ ok: 1 })
    await waitFor(() => first.readyState === 0, { what: 'the old client to end' })
  })

  test('that is well and quiet keeps its client', async () => {
    const server = fake(ok)
    const link = kept(await openLink({ uri: server.uri, log, times: quick }))
    const first = link.connection()
    await passTime(2 * quick.silentMs)
    expect(link.connection()).toBe(first)
  })
})

interface StuckServer {
  readonly monitor: { close(): void }
}

test('the connections in use and the operations that wait are counted until they end', async () => {
  const held: (() => void)[] = []
  const server = fake((command) => {
    if (!('ping' in command)) return ok()
    const answer = Promise.withResolvers<Record<string, unknown>>()
    held.push(() => answer.resolve(ok()))
    return answer.promise
  })
  const link = kept(await openLink({ uri: server.uri, log, times: quick }))
  const idle = { pool: 'connections', running: 0, waiting: 0, slots: 50 }
  expect(link.load()).toEqual(idle as never)
  const pings = Array.from({ length: 60 }, () =>
    link.run((maxTimeMS) => link.connection().db?.command({ ping: 1, maxTimeMS }) ?? Promise.reject()),
  )
  await waitFor(() => held.length === 50, { what: 'fifty pings at the server' })
  expect(link.load()).toMatchObject({ running: 50, waiting: 10 })
  const answerAll = setInterval(() => {
    for (const answer of held.splice(0)) answer()
  }, 5)
  await Promise.all(pings).finally(() => clearInterval(answerAll))
  await waitFor(() => link.load().running === 0, { what: 'all connections back in the pool' })
  expect(link.load()).toEqual(idle as never)
})
