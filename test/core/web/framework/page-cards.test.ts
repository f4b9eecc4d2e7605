import { afterAll, beforeAll, expect, test } from 'bun:test'
import { definePlugin } from 'renown'
import { locationCard } from 'renown/locations'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { builtin } from '../../../../plugins'
import { type Gate, startGate } from '../../../support/harness'
import { jobs } from '../../../support/platforms'
import { quietLog } from '../../../support/quiet-log'
import { signedIn } from '../../../support/signed-in'

let gate: Gate
const logged: unknown[] = []
beforeAll(async () => {
  const broken = definePlugin({
    name: 'broken',
    summary: 'A card that cannot be read',
    renown: '^1.0.0',
    needs: ['locations'],
    provides: [
      locationCard.with({
        name: 'broken-figures',
        order: 1,
        module: new URL('../../../../plugins/traffic/cards/location-sites-card.tsx', import.meta.url),
        load: () => Promise.reject(new Error('the table is away')),
      }),
    ],
  })
  const log = { ...quietLog, error: (...said: unknown[]) => void logged.push(said) }
  gate = await startGate({ plugins: [...builtin, jobs, broken], log })
})
afterAll(() => gate.stop())

test('a card that cannot be read says so, is logged, and leaves the others as they are', async () => {
  const { cookie } = await signedIn(gate)
  const { id } = await gate.put(BusinessLocation, {
    business_name: 'Bakery',
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
  })
  const answer = await gate.ask(`/app/locations/one?location=${id}`, { key: null, headers: { cookie } })
  expect(answer.status).toBe(200)
  const html = await answer.text()
  expect(html).toContain('Broken figures')
  expect(html).toContain('This part of the page could not be read.')
  expect(html).toContain('Bakery')
  expect(html.match(/could not be read/g)?.length).toBe(1)
  expect(JSON.stringify(logged)).toContain('the table is away')
})
