import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Gate, startGate } from '../../../../support/harness'
import { counterPage, withPages } from '../../../../support/pages'
import { signedIn } from '../../../../support/signed-in'

let gate: Gate
const open: Response[] = []
beforeAll(async () => {
  const settings = { STREAMS_MAX: '30', STREAMS_PER_PERSON_MAX: '4', STREAMS_PER_WORKSPACE_MAX: '1000' }
  gate = await startGate({ plugins: [withPages(counterPage)], settings })
})
afterAll(async () => {
  for (const { body } of open) await body?.cancel().catch(() => {})
  await gate.stop()
})

const listen = async (cookie: string) => {
  const answer = await gate.ask('/app/events/ticks', { key: null, headers: { cookie } })
  if (answer.status === 200) open.push(answer)
  return answer.status
}
const health = async (path: string) => {
  const answer = await gate.ask(path, { key: null })
  return { status: answer.status, body: await answer.json() }
}

test('people of one agency fill all streams, another agency still gets its own, and /readyz tells', async () => {
  const loud = []
  for (let place = 0; place < 10; place++) {
    const { cookie } = await signedIn(gate, { email: `loud${place}@agency.example` })
    for (let times = 0; times < 5; times++) loud.push(await listen(cookie))
  }
  expect(loud.filter((status) => status === 200)).toHaveLength(30)
  expect(loud.filter((status) => status === 429)).toHaveLength(20)
  const full = { status: 'full', streams: { open: 30, max: 30 } }
  expect(await health('/readyz')).toEqual({ status: 200, body: full })
  expect((await health('/healthz')).status).toBe(200)
  const quiet = await signedIn(gate, { agencyId: gate.stranger.agencyId })
  for (let times = 0; times < 4; times++) expect(await listen(quiet.cookie)).toBe(200)
  expect(await listen(quiet.cookie)).toBe(429)
  const metrics = await (await gate.ask('/metrics', { key: null })).text()
  expect(metrics).toContain('renown_gateway_streams_open 30\n')
  expect(metrics).toContain('renown_gateway_streams_stopped_total{why="ended"} 4\n')
})
