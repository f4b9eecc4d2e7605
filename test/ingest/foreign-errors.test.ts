import { expect, test } from 'bun:test'
import { createCounter } from '../../ingest/count/counter'
import { createDedup } from '../../ingest/count/dedup'
import { createMetrics } from '../../ingest/count/metrics'
import { type Journal, JournalRefusal } from '../../ingest/journal/journal'
import { releaseAgents } from '../../ingest/judge/agent-index'
import { createSignatures } from '../../ingest/judge/signatures'
import { createDays } from '../../ingest/parse/days'
import { createPathBound } from '../../ingest/parse/path-bound'
import { record, site, startedAt, withIngest } from './support/ingest'
import { silentLog } from './support/journal'

// Whatever catches an error handles only those that it knows. Every other one reaches the caller, so that no failure
// becomes an answer.

class Foreign extends Error {
  override name = 'Foreign'
}

/** A counter whose journal fails with an error, or works after `mend`. */
function failingCounter(error: Error) {
  let isBroken = true
  const now = () => new Date(startedAt)
  const append: Journal['append'] = async () => {
    if (isBroken) throw error
  }
  const counter = createCounter({
    journal: { append } as Journal,
    dedup: createDedup(2 ** 20, now),
    now,
    signatures: createSignatures({ keyring: { find: () => null }, now }),
    agents: { current: releaseAgents },
    newAgents: { see() {} },
    ranges: { verdict: () => 'unchecked' as const, isInDoubt: () => false },
    dayOf: createDays(),
    metrics: createMetrics(),
    paths: createPathBound(100, 2 ** 20),
    keptDays: 0,
    lineMax: 2 ** 16,
    isOneOfMany: false,
  })
  const count = async (id: string | null, more: Record<string, unknown>) =>
    counter.count({
      site,
      id,
      text: JSON.stringify(record(more)),
      bodySecret: 's',
      isRecent: true,
      datesArrivals: true,
      linesMax: 10,
    })
  return {
    count,
    mend() {
      isBroken = false
    },
  }
}

const batches = [
  ['with an id', 'b1', {}],
  ['whose hit has an id', null, { id: 'h1' }],
  ['without a time', null, { ts: undefined }],
  ['of its body', null, {}],
] as const

for (const error of [new Foreign('disk'), new JournalRefusal('full')])
  test.each(batches)(
    `a batch %s that meets ${error.message} rejects, and counts when repeated`,
    async (_, id, more) => {
      const { count, mend } = failingCounter(error)
      await expect(count(id, more)).rejects.toBe(error)
      await expect(Promise.all([count(id, more), count(id, more)])).rejects.toBe(error)
      mend()
      expect(await count(id, more)).toMatchObject({ answer: { accepted: 1, duplicate: 0 } })
    },
  )

test('an error of the verdict is answered with 500, logged by its name, and thrown to an import', async () => {
  const said: unknown[] = []
  const log = { ...silentLog, error: (message: string, fields?: object) => void said.push([message, fields]) }
  await withIngest(
    async ({ ingest, send }) => {
      const body = JSON.stringify(record())
      expect(await send('/v1/hits', body)).toMatchObject({ status: 500, body: { code: 'internal' } })
      expect(said).toEqual([['The ingest failed to answer a request', { error: 'Foreign' }]])
      const bytes = new TextEncoder().encode(body)
      await expect(ingest.importBatch(site.site_id, 'chunk', bytes)).rejects.toBeInstanceOf(Foreign)
    },
    {
      log,
      ranges: {
        start: async () => {},
        stop() {},
        use() {},
        status: () => [],
        refresh: async () => [],
        isInDoubt: () => false,
        verdict() {
          throw new Foreign('verdict')
        },
      },
    },
  )
})
