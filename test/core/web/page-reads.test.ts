import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createDemo } from '../../../core/demo/create'
import { withCore } from '../../../core/product/core-plugins'
import type { ColumnsStore } from '../../../core/stores/columns/port'
import locations from '../../../plugins/locations'
import traffic from '../../../plugins/traffic'
import { freshColumns } from '../../support/chdb'
import { type Gate, startGate } from '../../support/harness'
import { signedIn } from '../../support/signed-in'

/** How often a page asks the columns store. A statement of the embedded engine takes 7 ms of processor time and more. */
let gate: Gate
let columns: ColumnsStore
let cookie = ''
let statements = 0
const counting = (store: ColumnsStore): ColumnsStore => ({
  ...store,
  query: (sql, params) => {
    statements += 1
    return store.query(sql, params)
  },
  text: (sql, params) => {
    statements += 1
    return store.text(sql, params)
  },
})
beforeAll(async () => {
  const plugins = withCore([locations, traffic])
  columns = await freshColumns()
  gate = await startGate({ plugins, columns: counting(columns) })
  const { world } = await createDemo(gate.owner, plugins, { seed: 'reads', today: '2026-11-20' })
  cookie = (await signedIn(gate, { agencyId: world.agency_id })).cookie
}, 120_000)
afterAll(async () => {
  await gate?.stop()
  await columns?.close()
})

const statementsOf = async (path: string) => {
  statements = 0
  const answer = await gate.ask(path, { key: null, headers: { cookie } })
  expect(answer.status).toBe(200)
  return { statements, html: await answer.text() }
}
/** Without tokens and the time, which differ in each answer. */
const shown = (html: string) => html.replaceAll(/[0-9a-f]{128}|"now":"[^"]*"/g, '')

test('a page asks the columns a few grouped questions however many sites there are, and none when it is opened again', async () => {
  const first = await statementsOf('/app/traffic')
  expect(first.statements).toBeGreaterThan(0)
  expect(first.statements).toBeLessThanOrEqual(10)
  const again = await statementsOf('/app/traffic')
  expect(again.statements).toBe(0)
  expect(shown(again.html)).toBe(shown(first.html))
  expect((await statementsOf('/app')).statements).toBeLessThanOrEqual(4)
  expect((await statementsOf('/app')).statements).toBe(0)
}, 120_000)
