import { describe, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Job } from '../../../core/jobs/Job'
import { enqueue } from '../../../core/jobs/queue'
import { openMongo } from '../../../core/stores/documents/mongo'
import type { Documents } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { mongoUri } from '../../support/mongo'
import { testWith } from '../../support/needs'
import { quietLog as log } from '../../support/quiet-log'
import { randomSource } from '../../support/random-documents'
import { passTime, waitFor } from '../../support/wait-for'

const isLong = process.env.RENOWN_LONG === '1'
const kills = isLong ? 100 : 3
const jobs = isLong ? 2_000 : 100
const runner = resolve(import.meta.dir, '../../support/job-runner.ts')
const clock = { now: () => new Date() }
const uri = mongoUri()

async function begin(store: string, journal: string) {
  const child = Bun.spawn([process.execPath, runner, store, journal], { stdout: 'pipe', stderr: 'inherit' })
  await child.stdout.getReader().read()
  return child
}

async function putIn(documents: Documents) {
  await documents.ensure([Job])
  for (let n = 0; n < jobs; n++) {
    await enqueue(documents, clock, {
      queue: 'count',
      workspace_id: 'wsp_1',
      payload: { n },
      key: `n${n}`,
      runAt: undefined,
    })
  }
}

/** No try of a job was ended twice, no job ended without an end written down, and none was left. */
async function verify(documents: Documents, journal: string) {
  const rows = await documents.collection(Job).find({ where: { op: 'and', of: [] } })
  expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: jobs }, () => 'done'))
  const lines = (await readFile(journal, 'utf8')).trim().split('\n')
  const ends = lines.filter((line) => line.includes(' end '))
  const tries = lines
    .filter((line) => line.includes(' begin '))
    .map((line) => line.split(' ').slice(2).join(' '))
  expect(new Set(tries).size).toBe(tries.length)
  expect(new Set(ends.map((line) => line.split(' ')[2])).size).toBe(jobs)
}

describe('Jobs whose process is killed', () => {
  test(
    `all come to their end after ${kills} kills on the embedded store`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'renown-jobs-'))
      const path = join(folder, 'documents.db')
      const journal = join(folder, 'journal')
      const random = randomSource(11)
      try {
        const first = await openSqlite({ path, now: clock.now, log })
        await putIn(first)
        await first.close()
        for (let n = 0; n < kills; n++) {
          const child = await begin(path, journal)
          await passTime(20 + random.below(120))
          child.kill('SIGKILL')
          await child.exited
        }
        const last = await begin(path, journal)
        const ended = async () => new Set((await readFile(journal, 'utf8')).match(/end \S+/g)).size === jobs
        await waitFor(ended, { what: 'all jobs to end', timeoutMs: 120_000 })
        const isIdle = async () => (await readFile(journal, 'utf8')).includes(`${last.pid} idle`)
        await waitFor(isIdle, { what: 'the store to say that all are done', timeoutMs: 60_000 })
        last.kill('SIGKILL')
        await last.exited
        const documents = await openSqlite({ path, now: clock.now, log })
        await verify(documents, journal)
        await documents.close()
      } finally {
        await rm(folder, { recursive: true })
      }
    },
    isLong ? 600_000 : 60_000,
  )

  testWith('MongoDB')(
    `all come to their end after ${kills} kills among three processes on MongoDB`,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'renown-jobs-'))
      const journal = join(folder, 'journal')
      const documents = await openMongo({ uri: uri ?? '', now: clock.now, log })
      const random = randomSource(12)
      try {
        await putIn(documents)
        const members = await Promise.all([1, 2, 3].map(() => begin(uri ?? '', journal)))
        for (let n = 0; n < kills; n++) {
          await passTime(20 + random.below(120))
          members[n % 3]?.kill('SIGKILL')
          members[n % 3] = await begin(uri ?? '', journal)
        }
        const left = { op: 'eq', field: 'is_active', value: true } as const
        const isDone = async () => (await documents.collection(Job).count(left)) === 0
        await waitFor(isDone, { what: 'all jobs to end', timeoutMs: 120_000 })
        for (const member of members) member.kill('SIGKILL')
        await Promise.all(members.map(({ exited }) => exited))
        await verify(documents, journal)
      } finally {
        await documents.close()
        await rm(folder, { recursive: true })
      }
    },
    isLong ? 600_000 : 60_000,
  )
})
