import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'
import type { AnyEntity } from '../../../core/contracts/entity'
import type { OwnerContext } from '../../../core/contracts/plugin'
import type { Task } from '../../../core/contracts/queue'
import { blameOf } from '../../../core/contracts/service-fault'
import { everything } from '../../../core/contracts/where'
import { createDemo } from '../../../core/demo/create'
import { withCore } from '../../../core/product/core-plugins'
import { type Documents, UnavailableError } from '../../../core/stores/documents/port'
import { openSqlite } from '../../../core/stores/documents/sqlite'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../plugins'
import { Post } from '../../../plugins/posts/records/Post'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { quietLog } from '../../support/quiet-log'

/**
 * Every job and every scheduled task runs while ClickHouse is away, and while each call to a service ends because the documents that
 * hold its limits are away. Whatever it stores then, it must not be a failure: that is nobody's fault but ours.
 */
const plugins = withCore(builtin)
/** The fields that say that something failed, or how often. */
const traces = /^(error|last_error|\w+_error|error_\w+|failure_kind|failures|tries|attempts|failing_since)$/
/** The counts of what began, which a job that did its work may raise. */
const begun: ReadonlySet<string> = new Set(['tries', 'attempts'])
const states = /^(state|status|\w+_status|outcome)$/
let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>

beforeAll(async () => {
  columns = await freshColumns()
  const store = await openSqlite({ path: ':memory:', now: () => new Date(), log: quietLog })
  gate = await startGate({ plugins, columns, documents: watched(store) })
  await createDemo(gate.owner, plugins, { seed: 'away', today: gate.clock.now().toISOString().slice(0, 10) })
  // Jobs do nothing for businesses of a demo.
  await gate.documents.collection(BusinessLocation).updateMany(everything, { set: { is_demo: false } })
  // Otherwise they are too late to be published.
  const scheduled_at = gate.clock.now().toISOString()
  await gate.documents.collection(Post).updateMany(everything, { set: { scheduled_at } })
  for (const entity of inDocuments()) known.set(entity.name, await rowsOf(entity))
}, 120_000)
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

const refused = () => {
  const refusal = Promise.reject(new UnavailableError('A store is away'))
  refusal.catch(() => {})
  return refusal
}

/** An object whose every call ends because a store is away, and which seems to be set up. */
const allAway = <T extends object>(of: T, kept: readonly string[]): T =>
  new Proxy(of, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name === 'isConfigured') return true
      if (kept.includes(String(name))) return value
      if (typeof value === 'function') return refused
      return typeof value === 'object' && value !== null ? allAway(value, kept) : value
    },
  })

const without = (owner: OwnerContext): OwnerContext => ({
  ...owner,
  outbound: allAway(owner.outbound, ['secrets']),
  columns: allAway(owner.columns, ['declared', 'own']),
})

const inDocuments = () => [...gate.registry.entities.values()].filter(({ store }) => store === 'documents')

/** The entities that were written to since the last look. */
const written = new Set<AnyEntity>()
const reads = /^(get|find|findJson|prepareList|count|group|groupEntries|examined|pages|each)$/

/** A store that notes which entities are written to. */
const watched = (documents: Documents): Documents => ({
  ...documents,
  collection: (entity) =>
    new Proxy(documents.collection(entity), {
      get(target, name) {
        if (!reads.test(String(name))) written.add(entity)
        return Reflect.get(target, name)
      },
    }),
})

type Rows = ReadonlyMap<string, Record<string, unknown>>
const known = new Map<string, Rows>()

async function rowsOf(entity: AnyEntity): Promise<Rows> {
  const found = await gate.documents.collection(entity).find({ where: everything, limit: 20_000 })
  return new Map(found.map((row) => [row.id, row as Record<string, unknown>]))
}

/** What a run left behind that says that something failed. */
function tracesOf(entity: string, before: Rows, after: Rows, isDone: boolean): string[] {
  const found: string[] = []
  for (const [id, row] of after) {
    const old = before.get(id)
    if (old === undefined && entity === 'Notification') found.push(`a notification: ${row.title}`)
    for (const [name, value] of Object.entries(row)) {
      if (JSON.stringify(old?.[name]) === JSON.stringify(value)) continue
      const isLess = typeof value === 'number' && value <= Number(old?.[name] ?? 0)
      const isFailed = states.test(name) && /fail|broken|lost|unknown/.test(String(value))
      const isTrace = traces.test(name) && !isLess && !(isDone && begun.has(name))
      if (isFailed || isTrace) found.push(`${entity}.${name} = ${value}`)
    }
  }
  return found
}

/** Runs something, and returns how it ended and what it left behind. */
async function ended(run: () => Promise<unknown>) {
  written.clear()
  const error = await run().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  const found = new Set<string>()
  for (const entity of [...written]) {
    const after = await rowsOf(entity)
    for (const trace of tracesOf(entity.name, known.get(entity.name) ?? new Map(), after, error === null))
      found.add(trace)
    known.set(entity.name, after)
  }
  return { error, traces: [...found] }
}

test('no scheduled task leaves a trace of it', async () => {
  const wrong: string[] = []
  const waiting: string[] = []
  for (const [name, job] of gate.registry.jobs) {
    const { error, traces } = await ended(() => job.run(without(gate.owner), new AbortController().signal))
    if (error !== null && blameOf(error) === 'own_store') waiting.push(name)
    else if (error !== null) wrong.push(`${name} ended with ${error}`)
    for (const trace of traces) wrong.push(`${name} left ${trace}`)
  }
  expect(wrong).toEqual([])
  // Otherwise nothing was tried.
  expect(waiting.length).toBeGreaterThan(2)
}, 120_000)

const snake = (name: string) => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()
/** What a field of a payload names where its name is not that of its entity. */
const others: Readonly<Record<string, RegExp>> = {
  location_id: /^business_location$/,
  act_id: /^review_reply$/,
  reply_id: /^mention_reply$/,
}

/** The entity that a field of a payload names. */
function entityOf(field: string): AnyEntity | undefined {
  const named = others[field] ?? new RegExp(`(^|_)${field.replace(/_id$/, '')}$`)
  const found = inDocuments().filter(({ name }) => named.test(snake(name)))
  return found.toSorted((a, b) => a.name.length - b.name.length)[0]
}

test('no job of a queue leaves a trace of it, in whatever attempt', async () => {
  const wrong: string[] = []
  const waiting = new Set<string>()
  const untried: string[] = []
  for (const [name, queue] of gate.registry.queues) {
    const [field = ''] = Object.keys(
      (queue.payload as unknown as v.StrictObjectSchema<v.ObjectEntries, undefined>).entries,
    )
    const entity = entityOf(field)
    const rows = entity ? await gate.documents.collection(entity).find({ where: everything, limit: 500 }) : []
    const fits = rows.filter(({ id }) => v.is(queue.payload, { [field]: id }))
    if (fits.length === 0) untried.push(name)
    // The states of a record decide what its job does, so each is tried.
    const kinds = new Map(
      fits.map((row) => [JSON.stringify(Object.entries(row).filter(([key]) => states.test(key))), row]),
    )
    for (const { id, workspace_id } of kinds.values()) {
      for (const attempt of [1, 99]) {
        const task: Task = {
          id: `job_${name}`,
          workspace_id,
          attempt,
          saved: {},
          signal: new AbortController().signal,
          hold: async () => {},
          progress: async () => {},
          save: async () => {},
        }
        const { error, traces } = await ended(() => queue.run(without(gate.owner), { [field]: id }, task))
        if (error !== null && blameOf(error) === 'own_store') waiting.add(name)
        else if (error !== null) wrong.push(`${name} ended with ${error}`)
        for (const trace of traces) wrong.push(`${name} left ${trace}`)
      }
    }
  }
  expect([...new Set(wrong)]).toEqual([])
  expect(waiting.size).toBeGreaterThan(3)
  // The demo has no rows for them. Their own tests take a store away.
  expect(untried.toSorted()).toEqual(['create-demo', 'send-mail', 'send-mention-reply', 'send-person-reply'])
}, 240_000)
