import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSessions } from '../../../../core/auth/sessions'
import { Agency } from '../../../../core/product/tenancy-plugin'
import { User } from '../../../../core/tenancy/User'
import { appToken } from '../../../support/app-token'
import { firefox } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'
import { newSecret, type SubscriptionWorld, subscriptionWorld } from '../support/subscription-world'

let world: SubscriptionWorld
let ada: Visitor
beforeAll(async () => {
  world = await subscriptionWorld()
  const { gate } = world
  const agency_id = gate.tenant.agencyId
  const person = await gate.put(
    User,
    { agency_id, role: 'owner', name: 'Ada', email: 'ada@x.example', is_active: true },
    agency_id,
  )
  const origin = 'http://localhost:3000'
  const request = new Request(origin, { headers: { 'user-agent': firefox } })
  const host = { origin, kind: 'main' as const, agency_id: null }
  const { cookie } = await createSessions(gate).start(person, host, request)
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'), origin)
  const [pair = ''] = cookie.split(';')
  ada.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
})
afterAll(() => world.stop())

const allowed = async () => (await world.gate.owner.rows(Agency).get(world.gate.tenant.agencyId))?.event_hosts

test('the owner allows hosts by exact rules, sees each subscription, stops one and allows it again', async () => {
  await ada.open('/app/apps')
  for (const hosts of [
    'https://a.test',
    '*',
    '*.com',
    '*.co.uk',
    'a.*.test',
    '127.0.0.1',
    'a.test:8443',
    'com',
  ]) {
    const refused = await ada.submit('/app/apps/hosts', { hosts })
    expect([hosts, refused.status, refused.text.includes('The callback hosts must be')]).toEqual([
      hosts,
      422,
      true,
    ])
  }
  expect(await allowed()).toBeUndefined()
  await ada.submit('/app/apps/hosts', { hosts: ' *.Hooks.test, one.example\n*.hooks.test ' })
  expect(await allowed()).toEqual(['*.hooks.test', 'one.example'])
  const { token: key } = await appToken(world.gate, world.gate.tenant.agencyId)
  const { id } = await world.subscribe('page.hooks.test', newSecret(), {}, { key })
  const shown = await ada.open('/app/apps')
  for (const words of ['An app', 'note.made', 'page.hooks.test', '0 events', 'active'])
    expect(shown.text).toContain(words)
  await ada.submit('/app/apps/stop-events', { subscription: id })
  expect((await world.row(id)).ended_reason).toBe('A person stopped it.')
  await world.deliver(id)
  expect(world.receivers.events('page.hooks.test').map(({ body }) => JSON.parse(body).type)).toEqual([
    'terminated',
  ])
  const stopped = (await ada.open('/app/apps')).text
  for (const words of ['A person stopped it.', 'stopped', 'are not sent until you allow them again'])
    expect(stopped).toContain(words)
  const refused = () => world.subscribe('page.hooks.test', newSecret(), {}, { key })
  await expect(refused()).rejects.toThrow('stopped_by_person')
  expect((await ada.submit('/app/apps/allow-events', { subscription: id })).text).toContain('Allowed.')
  expect((await world.subscribe('page.hooks.test', newSecret(), {}, { key })).id).toBe(id)
  await ada.submit('/app/apps/hosts', { hosts: '' })
  expect(await allowed()).toBeUndefined()
})
