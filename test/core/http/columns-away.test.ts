import { afterAll, beforeAll, expect, test } from 'bun:test'
import * as v from 'valibot'
import { createDemo } from '../../../core/demo/create'
import { withCore } from '../../../core/product/core-plugins'
import type { ColumnsStore } from '../../../core/stores/columns/port'
import { UnavailableError } from '../../../core/stores/documents/port'
import { builtin } from '../../../plugins'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { signedIn } from '../../support/signed-in'

/** ClickHouse is away: what needs no traffic works as before, and the rest says 503 with Retry-After, never 500. */
const plugins = withCore(builtin)
let gate: Gate
let columns: Awaited<ReturnType<typeof freshColumns>>
let cookie = ''
let isAway = false
/** The store, whose every call fails while it is away. */
const failing = (store: ColumnsStore): ColumnsStore =>
  new Proxy(store, {
    get(target, name, itself) {
      const value: unknown = Reflect.get(target, name, itself)
      if (typeof value !== 'function' || ['declared', 'own', 'written', 'close'].includes(String(name)))
        return value
      return (...words: unknown[]) =>
        isAway ? Promise.reject(new UnavailableError('ClickHouse is away')) : value.apply(target, words)
    },
  })
beforeAll(async () => {
  columns = await freshColumns()
  gate = await startGate({ plugins, columns: failing(columns) })
  const { world } = await createDemo(gate.owner, plugins, { seed: 'away', today: '2026-11-20' })
  cookie = (await signedIn(gate, { agencyId: world.agency_id })).cookie
  isAway = true
}, 120_000)
afterAll(async () => {
  isAway = false
  await gate?.stop()
  await columns?.close()
})

test('every page answers, and only those of traffic may be missing', async () => {
  const paths = gate.gateway.pages
    .filter(
      ({ method, path, auth }) => method === 'GET' && auth !== 'none' && !path.startsWith('/app/events/'),
    )
    .map(({ path }) => path)
  const missing: string[] = []
  const broken: string[] = []
  for (const path of paths) {
    const { status, headers } = await gate.ask(path, { key: null, headers: { cookie } })
    if (status === 503 && headers.get('retry-after') !== null) missing.push(path)
    else if (status >= 500) broken.push(`${path} ${status}`)
  }
  expect(broken).toEqual([])
  expect(missing.filter((path) => !/\/traffic|\/sites/.test(path))).toEqual([])
}, 120_000)

test('every list and every operation answers, and only those of traffic may be missing', async () => {
  const missing: string[] = []
  const broken: string[] = []
  const note = (name: string, { status, headers }: Response) => {
    if (status === 503 && headers.get('retry-after') !== null) missing.push(name)
    else if (status >= 500) broken.push(`${name} ${status}`)
  }
  for (const [name, { reads }] of gate.registry.entities)
    if (reads.includes('list')) note(name, await gate.ask(`/api/entities/${name}`))
  for (const [name, { input }] of gate.registry.operations)
    if (v.safeParse(input, {}).success)
      note(name, await gate.ask(`/api/functions/${name}`, { method: 'POST', body: '{}' }))
  expect(broken).toEqual([])
  expect(missing.filter((name) => !/Traffic|Referral|Crawl|Agent|Site|Journey/.test(name))).toEqual([])
}, 120_000)
