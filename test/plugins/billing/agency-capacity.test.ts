import { afterEach, beforeEach, expect, test } from 'bun:test'
import { auditOf } from '../../../core/tenancy/audit/audit'
import { startAgency, type TestAgency } from '../../core/tenancy/support/agency'

let acme: TestAgency
beforeEach(async () => {
  acme = await startAgency(async () => undefined)
})
afterEach(() => acme.stop())
const capacity = (input: object = {}) =>
  acme.run(
    Object.keys(input).some((name) => name !== 'agency_id') ? 'agency capacity set' : 'agency capacity show',
    input,
  )

test('shows what stands, and sets what is told and nothing else', async () => {
  expect(await capacity()).toEqual({
    agency_id: acme.agency_id,
    paid_capacity: null,
    used: 0,
    free: null,
    beyond: 0,
    trialing: 0,
    exempt: 0,
    trials: 'convert',
  })
  await acme.add('A')
  expect(await capacity({ paid: 3, trials: 'end' })).toMatchObject({ paid_capacity: 3, used: 1, free: 2 })
  expect(await capacity({ charge: 29, charge_interval: 'year' })).toMatchObject({
    paid_capacity: 3,
    trials: 'end',
    charge: 29,
    charge_interval: 'year',
  })
  expect(await capacity({ none: true })).toMatchObject({ paid_capacity: null, trials: 'end', charge: 29 })
})

test('below what is in use takes nothing away, and says how far beyond it is', async () => {
  const id = await acme.add('A')
  await acme.add('B')
  expect(await capacity({ paid: 0 })).toMatchObject({ paid_capacity: 0, used: 2, free: 0, beyond: 2 })
  expect(await acme.row(id)).toMatchObject({ is_active: true })
})

test.each([
  [{ paid: -1 }, '/paid'],
  [{ paid: 1.5 }, '/paid'],
  [{ paid: 3, none: true }, '/none'],
  [{ trials: 'forget' }, '/trials'],
  [{ charge: -1 }, '/charge'],
  [{ colour: 'red' }, '/colour'],
])('refuses %j', async (input, pointer) => {
  await expect(capacity(input)).rejects.toMatchObject({
    code: 'invalid_field',
    details: { errors: [{ pointer }] },
  })
})

test('knows its agency, and asks which where there are several', async () => {
  await expect(capacity({ agency_id: 'agc_0' })).rejects.toMatchObject({ code: 'not_found' })
  await acme.run('agency create', { name: 'Other' })
  await expect(capacity()).rejects.toMatchObject({ details: { errors: [{ pointer: '/agency_id' }] } })
})

test('is written down with who did it', async () => {
  await acme.run('agency capacity set', { paid: 7 }, { ...acme.first, by: { host: 'command line' } })
  const { entries } = await auditOf(acme.first).list(acme.agency_id, { kind: 'location', limit: 10 })
  expect(entries).toMatchObject([
    { action: 'location.capacity', host: 'command line', subject: '7 paid for' },
  ])
})
