import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ServiceConsent } from '../../../../../core/connections/consent/ServiceConsent'
import { BusinessLocation } from '../../../../../core/tenancy/BusinessLocation'
import {
  backOf,
  type ConnectingWorld,
  connectingWorld,
  connectionsPath,
  redirectUriOf,
} from '../../../../support/connecting'
import { postFormsOf } from '../../../../support/page-forms'

import { appSecret } from '../../../../support/stand-ins/facebook'
import type { SeenPage } from '../../../../support/visitor'

const path = `${connectionsPath}/facebook/pages`
const hostile = '<script>alert(1)</script>\u202E'
let world: ConnectingWorld
let { services, gate, ada, asking, rows } = {} as ConnectingWorld

beforeEach(() => open())
afterEach(() => world.stop())

async function open(settings: Record<string, string> = {}) {
  world = await connectingWorld(settings)
  ;({ services, gate, ada, asking, rows } = world)
  services.login.pages.push(
    { id: '777', name: 'Harbour Bakery', access_token: 'EAA-page-777', tasks: ['MODERATE', 'MANAGE'] },
    { id: '778', name: `${hostile}Two`, access_token: 'EAA-page-778', tasks: ['ANALYZE'] },
    { id: '779', name: 'Not ours to use' },
    { id: '780', name: 'Four', access_token: 'EAA-page-780', tasks: ['MODERATE'] },
  )
}

const choosing = async (visitor = ada): Promise<SeenPage> =>
  visitor.open(backOf(services.login.answer(await asking('facebook', visitor))))

describe('Facebook', () => {
  test('is connected by its own page, and of the Pages those that are chosen', async () => {
    const asked = await choosing()
    expect(asked.path).toStartWith(path)
    expect(asked.text).toContain('Harbour Bakery')
    expect(asked.text).toContain('You may not moderate this Page')
    expect(asked.text).not.toContain('Not ours to use')
    expect(asked.html).not.toContain('<script>alert')
    const page = await ada.submit(path, { page: ['777', '780'] })
    expect(page.text).toContain('The Pages are connected')
    expect((await rows()).map(({ account_id, account_name }) => [account_id, account_name])).toEqual([
      ['777', 'Harbour Bakery'],
      ['780', 'Four'],
    ])
    const [first] = await rows()
    expect(first?.access_token).toStartWith('v1.')
    expect(await gate.owner.outbound.connections.token(first?.id ?? '')).toBe('EAA-page-777')
    const told =
      JSON.stringify([
        await world.audited(),
        await rows(),
        await gate.owner.rows(ServiceConsent).list(),
        services.asked,
      ]) +
      world.logged() +
      asked.html +
      page.html
    for (const secret of ['EAA-', 'AQD-code', appSecret]) expect(told.includes(secret) && secret).toBe(false)
    expect(services.login.complaints).toEqual([])
  })

  test('keeps no token of the person once the choice was made, and takes no second choice', async () => {
    const asked = await choosing()
    const [consent] = await gate.owner.rows(ServiceConsent).list()
    expect(consent?.user_token).toStartWith('v1.')
    await ada.submit(path, { page: '777' })
    const [after] = await gate.owner.rows(ServiceConsent).list()
    expect([after?.user_token, after?.verifier, after?.step]).toEqual([undefined, undefined, 'done'])
    const again = await ada.open(asked.path)
    expect([again.status, again.text.includes('used before')]).toEqual([400, true])
  })

  test('shows the choice to the sign-in that asked alone, and for ten minutes', async () => {
    const asked = await choosing()
    expect((await (await world.anotherSignIn()).open(asked.path)).status).toBe(400)
    gate.clock.advance(10 * 60_000 + 1)
    expect((await ada.open(asked.path)).text).toContain('more than ten minutes')
    expect(await rows()).toEqual([])
  })

  test('connects nothing where nothing is chosen, nor what is not theirs', async () => {
    await choosing()
    const none = postFormsOf((await ada.submit(path)).html)
    const field = none.flatMap(({ fields }) => fields).find(({ name }) => name === 'page')
    expect([field?.isInvalid, field?.faults, field?.sent]).toEqual([true, ['Choose at least one Page.'], []])
    expect((await ada.submit(path, { page: ['779', '999'] })).status).toBe(422)
    expect(await rows()).toEqual([])
  })

  test('that was not given all the leave that is needed says which', async () => {
    expect((await choosing()).text).not.toContain('all permissions')
    services.login.declined.add('pages_read_user_content')
    expect((await choosing()).text).toContain('read or answer reviews without pages_read_user_content.')
  })

  test('that hears no is said plainly', async () => {
    const page = await ada.open(backOf(services.login.answer(await asking('facebook'), 'deny')))
    expect([page.status, page.text.includes('You did not grant access')]).toEqual([422, true])
  })

  test.each([
    ['the code', () => services.login.faults.token.push(100)],
    ['the app', () => services.login.faults.token.push(101)],
    ['the list of Pages', () => services.login.faults.pages.push(190)],
    ['a later page of the list', () => services.login.faults.pages.push(null, 200)],
    ['a list without an end', () => services.login.faults.pages.push(null, 'loop', 'loop')],
  ])('that refuses %s is said plainly, and nothing is connected', async (_, fault) => {
    fault()
    const page = await choosing()
    expect([page.status, page.text.includes('Facebook was not connected')]).toEqual([422, true])
    expect(await rows()).toEqual([])
  })

  test('without a Page says so', async () => {
    services.login.pages.splice(0)
    expect((await choosing()).text).toContain('Facebook shows no Page of yours')
  })

  test('says what to set where it is not set up', async () => {
    await world.stop()
    await open({ FACEBOOK_APP_ID: '' })
    const page = await ada.open(connectionsPath)
    expect(page.text).toContain('Facebook is not set up on this installation')
    expect(page.text).toContain('FACEBOOK_APP_ID')
    expect(page.text).not.toContain('FACEBOOK_APP_SECRET')
    expect(page.html).toContain(`value="${redirectUriOf('facebook')}"`)
    expect(page.html).not.toContain(`action="${connectionsPath}/facebook"`)
  })
})

test('a connected Page is added as a location with what it says of itself, and broken when its token is dead', async () => {
  services.login.pages[0] = {
    id: '777',
    name: 'Harbour Bakery',
    access_token: 'EAA-page-777',
    category: 'Bakery',
    website: 'harbour.example',
    phone: '+44 1',
    tasks: ['MODERATE'],
    location: {
      street: '1 Quay',
      city: 'Leeds',
      country: 'United Kingdom',
      zip: 'LS1',
      latitude: 53,
      longitude: -1,
    },
  }
  await choosing()
  await ada.submit(path, { page: '777' })
  const [row] = await rows()
  const listing = await ada.open(`${connectionsPath}/locations?of=${row?.id}`)
  expect(listing.text).toContain('1 Quay, Leeds, United Kingdom')
  expect((await ada.submit(`${connectionsPath}/locations`, { location: '777' })).text).toContain(
    'The locations are added',
  )
  expect(await gate.owner.rows(BusinessLocation).list()).toMatchObject([
    {
      business_name: 'Harbour Bakery',
      business_category: 'Bakery',
      source: 'facebook',
      facebook_page_id: '777',
      city: 'Leeds',
      postal_code: 'LS1',
      is_active: true,
    },
  ])
  services.login.pages.splice(0, 1, { id: '777', name: 'Harbour Bakery', access_token: 'EAA-other' })
  expect((await ada.open(`${connectionsPath}/locations?of=${row?.id}`)).status).toBe(422)
  expect((await rows())[0]?.state).toBe('broken')
})
