import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { Session } from '../../../../../core/auth/Session'
import { ServiceConsent } from '../../../../../core/connections/consent/ServiceConsent'
import { Agency } from '../../../../../core/tenancy/Agency'
import { BusinessLocation } from '../../../../../core/tenancy/BusinessLocation'
import {
  backOf as back,
  type ConnectingWorld,
  connectingWorld,
  connectionsPath as path,
} from '../../../../support/connecting'
import { postFormsOf } from '../../../../support/page-forms'

import { refreshToken, type TokenFault } from '../../../../support/stand-ins/google-profiles'
import { createVisitor, type SeenPage } from '../../../../support/visitor'

const origin = 'http://localhost:3000'
const hostile = '<script>alert(1)</script>\u202E'
let world: ConnectingWorld
let { services, gate, ada, asking, rows, visitorOf } = {} as ConnectingWorld

async function open(settings: Record<string, string> = {}) {
  world = await connectingWorld(settings)
  ;({ services, gate, ada, asking, rows, visitorOf } = world)
  services.profiles.locations.set('accounts/111', [{ name: 'locations/222', title: 'Acme Plumbing' }])
}
beforeEach(() => open())
afterEach(() => world.stop())

const connect = async (visitor = ada): Promise<SeenPage> =>
  visitor.open(back(services.profiles.answer(await asking('google', visitor))))
const actions = async () => (await world.audited()).map(({ action }) => action)

describe('Google', () => {
  test('is connected by its own page: every account that it reaches, its token sealed and told nowhere', async () => {
    services.profiles.accounts.push({ name: 'accounts/900', accountName: 'Group', type: 'LOCATION_GROUP' })
    const page = await connect()
    expect(page.text).toContain('Google gave Renown access')
    expect(page.text).toContain('Ann Owner')
    expect(page.text).toContain('accounts/900')
    const [own, group] = await rows()
    expect([own?.account_id, own?.account_type, group?.account_name]).toEqual([
      'accounts/111',
      'PERSONAL',
      'Group',
    ])
    expect(own?.workspace_id).toBe(gate.tenant.workspaceId)
    expect(own?.refresh_token).toStartWith('v1.')
    expect(await gate.owner.outbound.connections.token(own?.id ?? '')).toStartWith('ya29.')
    const told =
      JSON.stringify([await world.audited(), await rows(), services.asked]) + world.logged() + page.html
    for (const secret of [refreshToken, 'ya29', services.settings.GOOGLE_CLIENT_SECRET, '4/code'])
      expect(told.includes(secret) && secret).toBe(false)
    const audited = await world.audited()
    expect(audited.map(({ action, host }) => [action, host])).toEqual([
      ['connection.add', origin],
      ['connection.add', origin],
    ])
    expect(audited.every(({ user_id }) => user_id !== undefined)).toBe(true)
    expect(services.profiles.complaints).toEqual([])
  })

  test('is connected again by the same way: the same rows, with new tokens, work again', async () => {
    await connect()
    const [before] = await rows()
    await gate.owner.outbound.connections.fail(before?.id ?? '', 'broken', 'Google ended it')
    expect((await ada.open(path)).text).toContain('Google ended it')
    await connect()
    const [after, ...others] = await rows()
    expect([after?.id, after?.state, after?.error, others]).toEqual([before?.id, 'connected', undefined, []])
    expect(after?.refresh_token).not.toBe(before?.refresh_token)
    expect((await actions()).sort()).toEqual(['connection.add', 'connection.renew'])
  })

  test('says what to set, and where to be sent back to, where it is not set up', async () => {
    await world.stop()
    await open({ GOOGLE_CLIENT_ID: '', GOOGLE_CLIENT_SECRET: '' })
    const page = await ada.open(path)
    expect(page.text).toContain('Google is not set up on this installation')
    expect(page.text).toContain('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET')
    expect(page.html).toContain(`value="${origin}${path}/google/callback"`)
    expect(page.html).not.toContain(`action="${path}/google"`)
    expect(page.html).toContain(`action="${path}/facebook"`)
  })

  test('asks nobody whose password was given longer than ten minutes ago', async () => {
    await ada.open(path)
    for (const { id } of await gate.owner.rows(Session).list())
      await gate.owner.rows(Session).update(id, { reauthenticated_at: '2020-01-01T00:00:00.000Z' })
    expect((await ada.submit(`${path}/google`)).text).toContain('Confirm your password')
    expect(await gate.owner.rows(ServiceConsent).count()).toBe(0)
  })
})

describe('an answer of Google', () => {
  const refused = async (page: Promise<SeenPage>, words: string) => {
    const { status, text } = await page
    expect([status, text.includes(words) || text]).toEqual([400, true])
    expect(await rows()).toEqual([])
  }

  test('counts once', async () => {
    const answer = back(services.profiles.answer(await asking('google')))
    await ada.open(answer)
    const again = await ada.open(answer)
    expect([again.status, again.text.includes('was used before')]).toEqual([400, true])
    expect(await rows()).toHaveLength(1)
  })

  test('counts once, of two at the same moment', async () => {
    const answer = back(services.profiles.answer(await asking('google')))
    const other = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
    for (const pair of ada.cookies) other.cookies.set(...pair)
    const both = await Promise.all([ada.open(answer), other.open(answer)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await rows()).toHaveLength(1)
  })

  test.each(['another agency', 'the same person'])('is taken from no other sign-in, of %s', async (whose) => {
    const answer = back(services.profiles.answer(await asking('google')))
    const isOwn = whose === 'the same person'
    const eve = isOwn ? await world.anotherSignIn() : await visitorOf(gate.stranger.agencyId)
    await refused(eve.open(answer), 'This browser did not start this connection')
    // The one who asked is not robbed of it.
    expect((await ada.open(answer)).text).toContain('Google gave Renown access')
  })

  test('leads a stranger to sign in, and is then of another sign-in', async () => {
    const answer = back(services.profiles.answer(await asking('google')))
    const nobody = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
    expect((await nobody.open(answer)).text).toContain('Sign in')
    expect(await rows()).toEqual([])
  })

  test('that comes after ten minutes is too late', async () => {
    const answer = back(services.profiles.answer(await asking('google')))
    gate.clock.advance(10 * 60_000 + 1)
    await refused(ada.open(answer), 'more than ten minutes')
  })

  test.each([
    ['', 'no state'],
    ['x'.repeat(43), 'a made-up state'],
    ["' or 1=1", 'an odd state'],
  ])('with %p (%s) is refused', async (state) => {
    await asking('google')
    await refused(
      ada.open(`${path}/google/callback?${new URLSearchParams({ state, code: 'c' })}`),
      'This browser did not start',
    )
  })

  test('of another service is refused', async () => {
    const answer = back(services.profiles.answer(await asking('google')))
    await refused(ada.open(answer.replace('/google/', '/facebook/')), 'This browser did not start')
  })

  test('for another host is refused', async () => {
    const answer = back(services.profiles.answer(await asking('google')))
    const [row] = await gate.owner.rows(ServiceConsent).list()
    await gate.owner.rows(ServiceConsent).update(row?.id ?? '', { host: 'https://other.example' })
    await refused(ada.open(answer), 'This browser did not start')
  })

  test('that says no is said plainly, and nothing is connected', async () => {
    const page = await ada.open(back(services.profiles.answer(await asking('google'), 'deny')))
    expect([page.status, page.text.includes('You did not grant access')]).toEqual([422, true])
    expect(await rows()).toEqual([])
  })

  test('with words of somebody else shows none of them', async () => {
    const answer = new URL(services.profiles.answer(await asking('google'), 'deny'))
    answer.searchParams.set('error', '<b>call 0900</b>')
    answer.searchParams.set('error_description', 'call 0900')
    const page = await ada.open(back(answer.href))
    expect([page.status, page.text.includes('0900')]).toEqual([422, false])
  })

  test.each([
    ['invalid_grant', 'no longer accepts the code'],
    ['redirect_uri_mismatch', `${origin}${path}/google/callback`],
    ['no_refresh', 'no refresh token'],
    ['no_scope', 'leave the box for business profiles checked'],
    ['html', 'Google was not connected'],
  ] as [TokenFault, string][])('that ends in %s is said plainly', async (fault, words) => {
    services.profiles.faults.token.push(fault)
    const page = await connect()
    expect([page.status, (page.text + page.html).includes(words) || page.text]).toEqual([422, true])
    expect(await rows()).toEqual([])
  })

  test('whose accounts may not be listed says so, with what helps', async () => {
    services.profiles.faults.accounts.push({ kind: 'status', status: 429, word: 'RESOURCE_EXHAUSTED' })
    const page = await connect()
    expect([page.status, page.text.includes('until Google grants it access')]).toEqual([422, true])
    expect(await rows()).toEqual([])
  })
})

describe('the connections', () => {
  test('are for owners of the agency alone', async () => {
    await connect()
    const [row] = await rows()
    const eve = await visitorOf(gate.stranger.agencyId)
    expect((await eve.open(path)).text).not.toContain('Ann Owner')
    for (const page of ['remove', 'locations'])
      expect((await eve.open(`${path}/${page}?of=${row?.id}`)).status).toBe(404)
    await connect(eve)
    const [, theirs] = await rows()
    await eve.open(`${path}/remove?of=${theirs?.id}`)
    expect((await eve.submit(`${path}/remove`, { of: row?.id ?? '' })).status).toBe(404)
    await eve.open(path)
    expect((await eve.submit(`${path}/google`, { of: gate.tenant.workspaceId })).status).toBe(404)
    await eve.open(`${path}/locations?of=${theirs?.id}`)
    const sent = await eve.submit(`${path}/locations`, { of: row?.id ?? '', location: 'locations/222' })
    expect(sent.status).toBe(404)
    expect(await gate.owner.rows(BusinessLocation).count()).toBe(0)
  })

  test('show whatever a service calls an account as text', async () => {
    services.profiles.accounts[0] = { name: 'accounts/111', accountName: `${hostile}Ann`, type: 'PERSONAL' }
    services.profiles.locations.set('accounts/111', [{ name: 'locations/1', title: hostile }])
    const page = await connect()
    const [row] = await rows()
    const pages = [
      page,
      await ada.open(`${path}/locations?of=${row?.id}`),
      await ada.open(`${path}/remove?of=${row?.id}`),
      await ada.open('/app/activity?kind=connection'),
    ]
    for (const { html, text, status } of pages) {
      expect(status).toBe(200)
      expect(html).not.toContain('<script>alert')
      expect(html).not.toContain('\u202E')
      expect(text).toContain('alert(1)')
    }
  })

  test('are removed when somebody is sure, with their tokens', async () => {
    await connect()
    const [row] = await rows()
    const asked = await ada.open(`${path}/remove?of=${row?.id}`)
    expect(asked.text).toContain('keeps the locations and their data')
    const after = await ada.submit(`${path}/remove`)
    expect(after.text).toContain('The account and its tokens are removed')
    expect(await rows()).toEqual([])
    expect(await actions()).toContain('connection.remove')
  })
})

describe('the locations of an account', () => {
  const listing = async () => {
    const [row] = await rows()
    return ada.open(`${path}/locations?of=${row?.id}`)
  }
  const locations = () =>
    gate.owner.rows(BusinessLocation).list({ sort: [{ field: 'created_date', direction: 'asc' }] })

  test('are added by ticking them, once, and stand then as read through the account', async () => {
    await connect()
    expect((await listing()).text).toContain('Acme Plumbing')
    const after = await ada.submit(`${path}/locations`, { location: 'locations/222' })
    expect([after.status, after.text.includes('The locations are added')]).toEqual([200, true])
    expect(after.html).not.toContain('value="locations/222"')
    const again = await ada.submit(`${path}/locations`, { location: 'locations/222' })
    expect(again.status).toBe(200)
    expect(await locations()).toMatchObject([
      {
        business_name: 'Acme Plumbing',
        added_via: 'gbp_oauth',
        source: 'google',
        is_active: true,
        google_account_id: 'accounts/111',
        google_location_id: 'locations/222',
        workspace_id: gate.tenant.workspaceId,
      },
    ])
  })

  test('beyond what the agency pays for are refused with the numbers, and begin their trial where that is ticked', async () => {
    await gate.owner.rows(Agency).update(gate.tenant.agencyId, { paid_capacity: 0 })
    await connect()
    expect((await listing()).text).toContain('start the one trial of the business')
    const refused = await ada.submit(`${path}/locations`, { location: 'locations/222' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('pays for 0 locations')
    expect(await locations()).toEqual([])
    const added = await ada.submit(`${path}/locations`, { location: 'locations/222', trial: 'yes' })
    expect(added.status).toBe(200)
    expect((await locations())[0]?.trial_state).toBe('trialing')
  })

  test("that are not the account's are added by no form", async () => {
    services.profiles.locations
      .get('accounts/111')
      ?.push({ name: 'accounts/333/locations/9', title: 'Theirs' })
    await connect()
    expect((await listing()).text).toContain('It belongs to accounts/333')
    for (const location of ['locations/9', 'locations/404', 'accounts/333/locations/222', '']) {
      const sent = await ada.submit(`${path}/locations`, { location })
      expect(`${location} ${sent.status}`).toBe(`${location} 422`)
    }
    const none = postFormsOf((await ada.submit(`${path}/locations`)).html)
    const field = none.flatMap(({ fields }) => fields).find(({ name }) => name === 'location')
    expect([field?.isInvalid, field?.faults]).toEqual([true, ['Select at least one location.']])
    expect(await locations()).toEqual([])
  })

  test('that were added another way are read with the account from then on', async () => {
    services.profiles.locations.set('accounts/111', [
      { name: 'locations/222', title: 'Acme', metadata: { placeId: 'ChIJx' } },
    ])
    const known = await gate.put(BusinessLocation, {
      business_name: 'Acme by hand',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      added_via: 'places',
      google_place_id: 'ChIJx',
    })
    await connect()
    expect((await listing()).text).toContain('added in another way')
    expect((await ada.submit(`${path}/locations`, { location: 'locations/222' })).status).toBe(200)
    expect(await locations()).toMatchObject([
      {
        id: known.id,
        business_name: 'Acme by hand',
        added_via: 'gbp_oauth',
        google_account_id: 'accounts/111',
        google_location_id: 'locations/222',
      },
    ])
  })

  test('are shown a hundred at a time, and what Google refuses is said in their place', async () => {
    const many = Array.from({ length: 130 }, (_, n) => ({ name: `locations/${n}`, title: `Shop ${n}` }))
    services.profiles.locations.set('accounts/111', many)
    await connect()
    const [row] = await rows()
    expect((await listing()).text).toContain('Locations 1 to 100 of 130')
    const rest = await ada.open(`${path}/locations?of=${row?.id}&skip=100`)
    expect(rest.text).toContain('Locations 101 to 130 of 130')
    services.profiles.faults.locations.push({ kind: 'status', status: 403, word: 'PERMISSION_DENIED' })
    const refused = await listing()
    expect([refused.status, refused.text.includes('PERMISSION_DENIED')]).toEqual([422, true])
  })
})
