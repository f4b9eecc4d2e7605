import { afterAll, beforeAll, expect, test } from 'bun:test'
import { withCore } from '../../../core/product/core-plugins'
import { changesOf } from '../../../core/tenancy/proposals/changes'
import { approveProposal } from '../../../core/tenancy/proposals/decide'
import closing, { closeParking, Parking } from '../../../examples/closing'
import { type Gate, startGate } from '../../support/harness'

let gate: Gate
beforeAll(async () => {
  gate = await startGate({ plugins: withCore([closing]) })
})
afterAll(() => gate.stop())

test('the example of a proposed change runs once a person approves it, and docs/plugin-authors/proposals.md shows it', async () => {
  const { id: parking_id } = await gate.put(Parking, { location_id: 'loc_1', is_open: true })
  const isOpen = async () => (await gate.owner.rows(Parking).get(parking_id))?.is_open
  const wish = { change: 'parking close', input: { parking_id }, reason: 'It floods.' }
  const answer = await gate.call('proposeChange', wish)
  const { proposal_id: id, effect } = (await answer.json()) as Record<string, string>
  expect([effect, await isOpen()]).toEqual(['Closes the parking for guests.', true])
  const changes = changesOf([closeParking])
  const { state } = await approveProposal(gate.owner, { changes, id: String(id), person: 'usr_1' })
  expect([state, await isOpen()]).toEqual(['done', false])
  expect((await gate.call('proposeChange', wish)).status).toBe(409)

  const root = new URL('../../../', import.meta.url)
  const [page, plugin] = await Promise.all(
    ['docs/plugin-authors/proposals.md', 'examples/closing.ts'].map((path) =>
      Bun.file(new URL(path, root)).text(),
    ),
  )
  expect(page).toContain(plugin)
})
