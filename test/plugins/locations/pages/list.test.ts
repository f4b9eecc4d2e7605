import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { Agency } from '../../../../core/tenancy/Agency'
import { auditOf } from '../../../../core/tenancy/audit/audit'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { User } from '../../../../core/tenancy/User'
import { Workspace } from '../../../../core/tenancy/Workspace'
import { builtin } from '../../../../plugins'
import { type Gate, startGate } from '../../../support/harness'
import { jobs } from '../../../support/platforms'
import { formOf, signedIn } from '../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../support/visitor'

let gate: Gate
let ada: Visitor
let adaId: string
let csrf: string
let cookie: string
const rows = () => gate.owner.rows(BusinessLocation)
beforeAll(async () => {
  gate = await startGate({ plugins: [...builtin, jobs] })
  const person = await signedIn(gate)
  adaId = person.userId
  csrf = person.session.csrf_token
  cookie = person.cookie
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  const at = cookie.indexOf('=')
  ada.cookies.set(cookie.slice(0, at), cookie.slice(at + 1))
})
afterAll(() => gate.stop())
beforeEach(async () => {
  await rows().removeWhere(everything)
  await gate.owner.rows(Agency).update(gate.tenant.agencyId, { paid_capacity: undefined })
})

const put = (business_name: string, more: object = {}) =>
  gate.put(BusinessLocation, {
    business_name,
    is_active: true,
    is_prospect: false,
    auto_response_enabled: false,
    ...more,
  })
const add = async (fields: Record<string, string>) => {
  await ada.open('/app/locations')
  return ada.submit('/app/locations', fields)
}

describe('the list', () => {
  test('shows the end of a trial as a day in the time zone of the workspace', async () => {
    const { workspaceId } = gate.tenant
    await gate.owner.rows(Workspace).update(workspaceId, { timezone: 'Pacific/Auckland' })
    try {
      const soon = new Date(gate.clock.now().getTime() + 2 * 86_400_000)
      await put('Tailor', { trial_state: 'trialing', trial_end: '2031-03-04T12:00:00.000Z' })
      await put('Smith', { trial_state: 'trialing', trial_end: soon.toISOString() })
      const { text } = await ada.open('/app/locations')
      expect(text).toContain('trialing until 5 Mar 2031')
      expect(text).toMatch(/Smith trialing until \d{1,2} [A-Z][a-z]{2,3} \d{4} /)
    } finally {
      await gate.owner.rows(Workspace).update(workspaceId, { timezone: 'UTC' })
    }
  })

  test('keeps clients and prospects apart, each with a way to its page and its state in words', async () => {
    const bakery = await put('Bakery')
    await put('Forge', { is_active: false })
    await put('Tailor', { trial_state: 'trialing', trial_end: '2031-03-04T00:00:00.000Z' })
    const pitched = await put('Pitched', { is_active: false, is_prospect: true })
    const clients = await ada.open('/app/locations')
    expect(clients.html).toContain(`href="/app/locations/one?location=${bakery.id}"`)
    expect(clients.text).toMatch(/Bakery active .*Forge paused .*Tailor trialing until 4 Mar 2031/)
    expect(clients.text).not.toContain('Pitched')
    const prospects = await ada.open('/app/locations?view=prospects')
    expect(prospects.html).toContain(`href="/app/locations/one?location=${pitched.id}"`)
    expect(prospects.text).toContain('not audited yet')
    expect(prospects.text).not.toContain('Bakery')
  })

  test('turns its pages and finds by name, city and website', async () => {
    await rows().insertMany(
      Array.from({ length: 101 }, (_, n) => ({
        workspace_id: gate.tenant.workspaceId,
        business_name: `Shop ${String(n).padStart(3, '0')}`,
        is_active: true,
        is_prospect: false,
        auto_response_enabled: false,
        ...(n === 50 ? { city: 'Ghent', website: 'https://fifty.example' } : {}),
      })),
    )
    const first = await ada.open('/app/locations')
    expect(first.text).toContain('Shop 099')
    expect(first.text).not.toContain('Shop 100')
    expect(first.html).toContain('href="/app/locations?at=2"')
    const second = await ada.open('/app/locations?at=2')
    expect(second.text).toContain('Shop 100')
    expect(second.text).not.toContain('Shop 099')
    for (const find of ['shop 050', 'GHENT', 'fifty']) {
      const { text } = await ada.open(`/app/locations?find=${encodeURIComponent(find)}`)
      expect(text).toContain('Shop 050')
      expect(text).not.toContain('Shop 051')
    }
    expect((await ada.open('/app/locations?find=nowhere')).text).toContain('No location has this name')
    for (const at of ['0', '-1', 'x', '1e9'])
      expect((await ada.open(`/app/locations?at=${at}`)).status).toBe(200)
  })

  test('says how much of what is paid for is in use, where that is counted, and to owners alone', async () => {
    await put('One')
    await put('On trial', { trial_state: 'trialing', trial_end: '2031-03-04T00:00:00.000Z' })
    expect((await ada.open('/app/locations')).text).not.toContain('paid location')
    await gate.owner.rows(Agency).update(gate.tenant.agencyId, { paid_capacity: 10 })
    expect((await ada.open('/app/locations')).text).toContain(
      '1 of 10 paid locations used; in addition, 1 on trial',
    )
    await asMember(async () => {
      const { text } = await ada.open('/app/locations')
      expect(text).toContain('One')
      expect(text).not.toContain('paid location')
      expect(text).not.toContain('Add a location')
    })
  })
})

async function asMember(work: () => Promise<void>) {
  const workspace_ids = [gate.tenant.workspaceId]
  await gate.owner.rows(User).update(adaId, { role: 'member', workspace_ids })
  try {
    await work()
  } finally {
    await gate.owner.rows(User).update(adaId, { role: 'owner', workspace_ids: undefined })
  }
}

describe('a location is added', () => {
  test('as a client, with its website and its place id, and its page is shown', async () => {
    const page = await add({
      business_name: 'Bakery',
      website: 'bakery.example',
      google_place_id: 'ChIJ_1',
      prospect: 'no',
    })
    expect(page.path).toMatch(/^\/app\/locations\/one\?location=loc_\w+&done=added$/)
    expect(page.text).toContain('The location is added.')
    expect(await rows().list()).toMatchObject([
      {
        business_name: 'Bakery',
        website: 'https://bakery.example',
        google_place_id: 'ChIJ_1',
        is_active: true,
        is_prospect: false,
        workspace_id: gate.tenant.workspaceId,
      },
    ])
  })

  test('as a prospect, which is never active', async () => {
    await add({ business_name: 'Pitched', prospect: 'yes' })
    expect(await rows().list()).toMatchObject([{ is_active: false, is_prospect: true }])
  })

  test('not with what cannot be used: each fault stands next to its field, with what was typed', async () => {
    const page = await add({
      business_name: '',
      website: 'no address',
      google_place_id: 'a b',
      prospect: 'no',
    })
    expect(page.status).toBe(422)
    for (const name of ['business_name', 'website', 'google_place_id']) {
      const field = new RegExp(`<input[^>]*id="${name}"[^>]*aria-invalid="true"[^>]*${name}-error`)
      expect(page.html).toMatch(field)
      expect(page.html).toContain(`id="${name}-error"`)
    }
    expect(page.html).toContain('value="no address"')
    expect(page.html).toMatch(/<title>Error: /)
    expect(await rows().count()).toBe(0)
  })

  test('not twice: the one that stands in the way is shown', async () => {
    const known = await put('Bakery', { google_place_id: 'ChIJ_1' })
    const page = await add({ business_name: 'Again', google_place_id: 'ChIJ_1', prospect: 'no' })
    expect(page.status).toBe(422)
    expect(page.html).toContain(`href="/app/locations/one?location=${known.id}"`)
    expect(await rows().count()).toBe(1)
  })

  test('beyond what is paid for on a trial alone, which is offered once that is needed', async () => {
    await gate.owner.rows(Agency).update(gate.tenant.agencyId, { paid_capacity: 1 })
    expect((await ada.open('/app/locations')).text).not.toContain('Start with a trial')
    await put('First')
    const refused = await add({ business_name: 'Second', prospect: 'no' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Start with a trial')
    expect(await rows().count()).toBe(1)
    const page = await ada.submit('/app/locations', { business_name: 'Second', prospect: 'no', trial: 'yes' })
    expect(page.text).toContain('trialing until')
    expect((await rows().list()).find((each) => each.business_name === 'Second')).toMatchObject({
      is_active: true,
      trial_state: 'trialing',
    })
  })

  test('to the workspace that the form was shown for, whatever another tab has chosen since, by who sent it', async () => {
    const { workspaceId, otherWorkspaceId, agencyId } = gate.tenant
    await ada.open(`/app/w/${workspaceId}/locations`)
    await gate.ask(`/app/w/${otherWorkspaceId}/locations`, { key: null, headers: { cookie } })
    await ada.submit('/app/locations', { business_name: 'First tab', prospect: 'no' })
    expect(await rows().list({})).toMatchObject([{ business_name: 'First tab', workspace_id: workspaceId }])
    const [entry] = (await auditOf(gate.owner).list(agencyId, { kind: 'location', limit: 1 })).entries
    expect(entry).toMatchObject({ action: 'location.add', user_id: adaId })
    await ada.open(`/app/w/${workspaceId}/locations`)
  })

  test('to no workspace of somebody else', async () => {
    const form = { csrf, business_name: 'X', prospect: 'no', workspace: gate.stranger.workspaceId }
    await gate.ask('/app/locations', formOf(form, { cookie }))
    expect(await rows().list({})).toEqual([])
  })

  test('by owners alone, and never in the demo', async () => {
    const send = () =>
      gate.ask('/app/locations', formOf({ csrf, business_name: 'Mine', prospect: 'no' }, { cookie }))
    await asMember(async () => {
      expect((await send()).status).toBe(403)
    })
    await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { is_demo: true })
    expect((await send()).status).toBe(409)
    expect((await ada.open('/app/locations')).text).not.toContain('Add a location')
    await gate.owner.rows(Workspace).update(gate.tenant.workspaceId, { is_demo: undefined })
    expect(await rows().count()).toBe(0)
  })
})
