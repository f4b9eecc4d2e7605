import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Row } from '../../../core/contracts/entity'
import type { OwnerContext } from '../../../core/contracts/owner'
import { isServiceFault } from '../../../core/contracts/service-fault'
import { where } from '../../../core/contracts/where'
import { Job } from '../../../core/jobs/Job'
import { enrichmentStatus } from '../../../core/kit/enrichment-status'
import { mayMove } from '../../../core/kit/states'
import type { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { SyncStatus } from '../../../core/tenancy/news/SyncStatus'
import { dueEnrichments } from '../../../plugins/enrichment/work/dueEnrichments'
import { addedAs, enrichmentWorld, queue } from './support/world'

type World = Awaited<ReturnType<typeof enrichmentWorld>>
type Location = Row<typeof BusinessLocation>

type Step =
  | { readonly do: 'look' | 'refresh' | 'work' | 'later' }
  /** The process dies at the so-many-th write, before or after it. */
  | { readonly do: 'die'; readonly at: number; readonly after: boolean }
  | { readonly do: 'override'; readonly about: string | null }
  | { readonly do: 'site'; readonly status: number }
  | { readonly do: 'place'; readonly status: number | null }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Step>({ do: 'work' }, { do: 'look' }, { do: 'refresh' }, { do: 'later' }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('die' as const),
      at: fc.integer({ min: 1, max: 9 }),
      after: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('override' as const),
      about: fc.constantFrom('Ours', 'Ours too', null),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('site' as const), status: fc.constantFrom(200, 200, 410, 503) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      status: fc.constantFrom(null, null, 403, 500, 429),
    }),
  },
)

class Death extends Error {}

/** The owner's side of a process that dies at a write. */
function dying(owner: OwnerContext, at: number, after: boolean): OwnerContext {
  let writes = 0
  const mortal =
    <A extends unknown[], R>(write: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      if (++writes !== at) return write(...given)
      if (after) await write(...given)
      throw new Death()
    }
  return {
    ...owner,
    rows: (entity) => {
      const rows = owner.rows(entity)
      return { ...rows, update: mortal(rows.update), updateWhere: mortal(rows.updateWhere) }
    },
    syncs: {
      began: mortal(owner.syncs.began),
      ended: mortal(owner.syncs.ended),
      failed: mortal(owner.syncs.failed),
    },
    enqueue: mortal(owner.enqueue) as OwnerContext['enqueue'],
  }
}

const active = async (world: World) => {
  const own = where.and(where.eq('queue', 'enrich-location'), where.eq('is_active', true))
  return (await world.owner.rows(Job).list({ where: own }))[0] ?? null
}

/** What a worker does with the job that is next, or with the one that its process died over. */
async function work(world: World, id: string, owner: OwnerContext): Promise<void> {
  const job = await active(world)
  if (!job) return
  const jobs = world.owner.rows(Job)
  const attempt = job.attempt + 1
  await jobs.update(job.id, { attempt })
  const end = () => jobs.update(job.id, { is_active: false })
  const bury = async (message: string) => {
    await queue.onDeadLetter?.(
      owner,
      { location_id: id },
      { kind: 'permanent', message },
      { ...job, attempt, saved: {} },
    )
    await end()
  }
  try {
    if (attempt > 4) return await bury('Its process died each time')
    await world.enrich(id, { attempt, through: () => owner })
    await end()
  } catch (error) {
    if (error instanceof Death) return
    const isOver = isServiceFault(error) && error.kind !== 'transient'
    if (isOver || attempt >= 4) await bury((error as Error).message).catch((death) => void death)
  }
}

async function take(world: World, id: string, step: Step): Promise<void> {
  const look = (owner: OwnerContext) => dueEnrichments.run(owner, new AbortController().signal)
  switch (step.do) {
    case 'look':
      return look(world.owner)
    case 'refresh':
      await world.bench.command('enrichment refresh', { location_id: id })
      return
    case 'work':
      return work(world, id, world.owner)
    case 'die': {
      const owner = dying(world.owner, step.at, step.after)
      await look(owner).catch((death) => expect(death).toBeInstanceOf(Death))
      return work(world, id, owner)
    }
    case 'later':
      world.bench.now = new Date(world.bench.now.getTime() + 3_600_000)
      return
    case 'override': {
      const given = step.about === null ? { clear: ['about'] } : { about: step.about }
      await world.bench.command('enrichment override', { location_id: id, ...given })
      return
    }
    case 'site':
      if (step.status === 200) world.website.pages.set('/', `<p>Read at ${world.bench.now.toISOString()}`)
      else world.website.pages.set('/', () => new Response('', { status: step.status }))
      return
    case 'place':
      world.profiles.faults.length = 0
      if (step.status !== null) world.profiles.faults.push(...Array.from({ length: 50 }, () => step.status))
  }
}

function check(before: Location, after: Location, step: Step): void {
  const from = before.enrichment_status ?? null
  const to = after.enrichment_status ?? null
  if (from !== to) {
    expect(to).not.toBeNull()
    // One step of the test may hold two of the machine: what was asked for, and what came of it.
    const isTold =
      to !== null &&
      (mayMove(enrichmentStatus, from, to) ||
        (step.do === 'die' && mayMove(enrichmentStatus, from, 'pending')))
    expect([from, to, isTold]).toEqual([from, to, true])
  }
  const isRead = to === 'success' || to === 'partial'
  if (!isRead || from === to) expect(after.enrichment).toEqual(before.enrichment as object)
  if (from !== null && from !== 'failed' && from !== 'pending') expect(after.enrichment).toBeDefined()
  expect(after.enrichment_error !== undefined).toBe(to === 'failed' || to === 'partial')
  if (step.do !== 'override')
    expect(after.enrichment_overrides).toEqual(before.enrichment_overrides as object)
}

test('whatever comes when, and wherever a process dies, states move as they may and nothing is lost or waits for ever', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const world = await enrichmentWorld({ pages: { '/': '<p>Hello' } })
      try {
        world.profiles.places = { editorialSummary: { text: 'A place.' } }
        const id = await world.location({
          ...addedAs.places,
          website: world.home,
          enrichment_status: undefined,
          enrichment_source: undefined,
        })
        for (const one of steps) {
          const before = await world.row(id)
          await take(world, id, one)
          check(before, await world.row(id), one)
        }
        await take(world, id, { do: 'site', status: 200 })
        await take(world, id, { do: 'place', status: null })
        for (let tries = 0; tries < 12; tries++) {
          await take(world, id, { do: 'look' })
          if ((await world.row(id)).enrichment_status === 'pending')
            expect(await active(world)).not.toBeNull()
          await take(world, id, { do: 'work' })
        }
        const { enrichment_status, enrichment } = await world.row(id)
        expect(enrichment_status).not.toBe('pending')
        expect(await active(world)).toBeNull()
        if (enrichment_status !== 'failed') expect(enrichment).toBeDefined()
        const running = await world.owner.rows(SyncStatus).list({ where: where.eq('status', 'running') })
        expect(running).toEqual([])
      } finally {
        await world.stop()
      }
    }),
    { numRuns: process.env.RENOWN_LONG ? 2_000 : 40 },
  )
}, 120_000)
