import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { everything } from '../../../../core/contracts/where'
import { Agency } from '../../../../core/tenancy/Agency'
import { AuditEntry } from '../../../../core/tenancy/audit/AuditEntry'
import { BusinessLocation } from '../../../../core/tenancy/BusinessLocation'
import { SyncStatus } from '../../../../core/tenancy/news/SyncStatus'
import { User } from '../../../../core/tenancy/User'
import type { Route } from '../../../../core/web/framework/route'
import { builtin } from '../../../../plugins'
import { setRow } from '../../../support/any-state'
import { type Gate, startGate } from '../../../support/harness'
import { jobs } from '../../../support/platforms'
import { formOf, signedIn } from '../../../support/signed-in'
import { createVisitor, type SeenPage, type Visitor } from '../../../support/visitor'

const hostile = '<img src=x onerror=alert(1)>"\'&'
const onePath = '/app/locations/one'
let gate: Gate
let ada: Visitor
let adaId: string
let csrf: string
let cookie: string
let id: string
const rows = () => gate.owner.rows(BusinessLocation)
const acts = () =>
  gate.gateway.pages.filter(({ path, method }: Route) => method === 'POST' && path.startsWith(`${onePath}/`))
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
  id = (await put()).id
})

const put = (more: object = {}, workspaceId?: string) =>
  gate.put(
    BusinessLocation,
    {
      business_name: 'Bakery',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
      ...more,
    },
    workspaceId,
  )
const set = (changes: object) => setRow(gate.documents.collection(BusinessLocation), id, changes)
const open = () => ada.open(`${onePath}?location=${id}`)
const act = async (name: string, fields: Record<string, string> = {}): Promise<SeenPage> => {
  await open()
  return ada.submit(`${onePath}/${name}`, fields)
}
const location = async () => {
  const row = await rows().get(id)
  if (!row) throw new Error('the location is gone')
  return row
}
async function asMember(work: () => Promise<void>) {
  const workspace_ids = [gate.tenant.workspaceId]
  await gate.owner.rows(User).update(adaId, { role: 'member', workspace_ids })
  try {
    await work()
  } finally {
    await gate.owner.rows(User).update(adaId, { role: 'owner', workspace_ids: undefined })
  }
}

describe('whose page it is', () => {
  test('nobody sees one of another agency, nor one that is nowhere', async () => {
    const foreign = await put({}, gate.stranger.workspaceId)
    for (const [other, status] of [
      [foreign.id, 403],
      ['loc_none', 404],
      ['', 404],
    ] as const) {
      expect((await ada.open(`${onePath}?location=${other}`)).status).toBe(status)
      expect((await ada.open(`/app/locations/sure?location=${other}&to=rest`)).status).toBe(status)
    }
    expect(acts().length).toBeGreaterThan(8)
    for (const { path } of acts()) {
      const answer = await gate.ask(path, formOf({ csrf, location: foreign.id }, { cookie }))
      expect(`${path} ${answer.status}`).toBe(`${path} 403`)
    }
    expect(await rows().get(foreign.id)).toMatchObject({ is_active: true, business_name: 'Bakery' })
  })

  test('a link leads to the workspace that the location is in', async () => {
    const other = await put({ business_name: 'Elsewhere' }, gate.tenant.otherWorkspaceId)
    const page = await ada.open(`${onePath}?location=${other.id}`)
    expect(page.text).toContain('Elsewhere')
    expect(page.path).toContain(`/app/w/${gate.tenant.otherWorkspaceId}/`)
    await asMember(async () => {
      expect((await ada.open(`${onePath}?location=${other.id}`)).status).toBe(403)
    })
  })

  test('a member looks at all of it and changes nothing', async () => {
    await asMember(async () => {
      const page = await open()
      expect(page.text).toContain('Bakery')
      expect(page.html).not.toContain(`action="${onePath}/`)
      for (const { path } of acts()) {
        const answer = await gate.ask(path, formOf({ csrf, location: id }, { cookie }))
        expect(`${path} ${answer.status}`).toBe(`${path} 403`)
      }
    })
  })

  test('one of a demo is looked at and stays as it was made', async () => {
    await set({ is_demo: true })
    expect((await open()).html).not.toContain(`action="${onePath}/`)
    for (const { path } of acts()) {
      const answer = await gate.ask(path, formOf({ csrf, location: id }, { cookie }))
      expect(`${path} ${answer.status}`).toBe(`${path} 409`)
    }
  })
})

describe('what is shown', () => {
  test('texts of strangers are text, and only web addresses are links', async () => {
    await set({
      business_name: hostile,
      business_category: hostile,
      city: hostile,
      phone: hostile,
      website: 'javascript:alert(1)',
      google_maps_url: 'https://maps.example/?q=<b>"',
      manual_notes: `</textarea>${hostile}`,
      enrichment_status: 'failed',
      enrichment_error: hostile,
      enrichment: {
        about: `</textarea>${hostile}`,
        services: [hostile],
        attributes: [hostile],
        hours: { [hostile]: hostile },
        service_area: hostile,
        languages: [hostile],
        socials: { [hostile]: 'data:text/html,x', web: 'https://user:pw@evil.example/' },
        sources: [
          { url: 'javascript:alert(2)', fetched_at: '2026-01-01T00:00:00.000Z' },
          { url: 'https://own.example/a', fetched_at: '2026-01-01T00:00:00.000Z' },
        ],
      },
    })
    await gate.put(SyncStatus, {
      location_id: id,
      kind: 'reviews',
      source: hostile,
      status: 'failed',
      error: hostile,
      items_seen: 1,
      items_changed: 0,
      complete: false,
    })
    const page = await open()
    const html = page.html.replace(/.*<main/s, '')
    expect(page.html.includes('<img')).toBe(false)
    expect(html).not.toMatch(/href="(?:javascript|data):/i)
    expect(html).not.toMatch(/href="[^"]*@evil/)
    const out = [...html.matchAll(/<a\b[^>]*href="https?:[^>]*>/g)].map(([link]) => link)
    expect(out.map((link) => /href="([^"]*)"/.exec(link)?.[1])).toContain('https://own.example/a')
    for (const link of out) expect(link).toContain('rel="noopener noreferrer nofollow"')
    expect(page.text.split('<img src=x onerror=alert(1)>').length).toBeGreaterThan(8)
    expect(html).toContain('<bdi')
  })

  test('each state in words, and what is not known as unknown', async () => {
    const bare = (await open()).text
    expect(bare).toMatch(/not read yet .*About .*Unknown\./)
    expect(bare).toContain('no reviews yet')
    expect(bare).toContain('not known yet')
    expect(bare).toContain('There were no syncs yet.')
    for (const [kind, status, complete, words] of [
      ['reviews', 'succeeded', true, 'read to the end'],
      ['mentions', 'succeeded', false, 'read'],
      ['visibility', 'running', false, 'being read'],
      ['enrichment', 'partial', false, 'read in part'],
      ['ranges', 'idle', false, 'not read yet'],
    ] as const) {
      const counts = { items_seen: 1_234, items_changed: 5, complete }
      await gate.put(SyncStatus, { location_id: id, kind, source: `of ${kind}`, status, ...counts })
      expect((await open()).text).toMatch(new RegExp(`of ${kind} +${words}`))
    }
    expect((await open()).text).toContain('1,234, 5 new or different')
  })

  test('of a prospect its audit: what was found, and what could not be found out', async () => {
    const entity = gate.registry.entities.get('ProspectAudit')
    if (!entity) throw new Error('nothing audits')
    await set({ is_prospect: true, is_active: false })
    expect((await open()).text).toContain('not audited yet')
    const looked = { status: 'partial', method: hostile, looked_at: '2026-01-01T00:00:00.000Z' }
    const audit = await gate.put(entity, {
      location_id: id,
      business_name: 'Bakery',
      status: 'running',
    })
    expect((await open()).text).toContain('under way')
    await setRow(gate.documents.collection(entity), audit.id, {
      status: 'completed',
      score: 54,
      completed_at: '2026-01-01T00:00:00.000Z',
      findings: {
        reviews: { ...looked, score: 52, rating: 3.4, answered: { k: 3, n: 20, rate: 0.15 }, unknown: [] },
        profile: { ...looked, unknown: [{ what: 'opening_hours', reason: hostile }], missing: null },
        visibility: { ...looked, status: 'unknown', looked_at: '2026-99-99T99:99:99Z' },
        traffic: {
          ...looked,
          ai_agents: [{ agent: 'GPTBot', allowed: false, group: null }],
          deep: [[[[[1]]]]],
          never: '2026-99-99T99:99:99Z',
        },
      },
    })
    const { text, html } = await open()
    expect(text).toMatch(/Score 54 of 100 .*Reviews Score 52 of 100 Rating 3\.4 Answered 3 of 20 \(15 %\)/)
    expect(text).toMatch(/Missing unknown Opening hours unknown: +<img/)
    expect(text).toMatch(/What assistants answer All of it unknown/)
    expect(text).toMatch(/GPTBot no unknown/)
    expect(text).toContain('Never 2026-99-99T99:99:99Z')
    expect(html.includes('<img')).toBe(false)
    expect(text).toMatch(/What people write about it Unknown: this was not checked\./)
    await setRow(gate.documents.collection(entity), audit.id, { score: undefined })
    expect((await open()).text).toContain('there is too little data for a score')
    await setRow(gate.documents.collection(entity), audit.id, {
      status: 'failed',
      error: hostile,
      findings: undefined,
    })
    expect((await open()).text).toMatch(/Score failed .*It failed +<img/)
    await set({ is_prospect: false })
    expect((await open()).text).toMatch(/Readings .*Audit .*Score failed/)
    await gate.owner.rows(entity).removeWhere(everything)
  })

  test('what people wrote stands in place of what was read, and is marked', async () => {
    await set({
      enrichment_status: 'success',
      enrichment_updated_at: '2026-01-01T00:00:00.000Z',
      enrichment: { about: 'As read', services: ['Bread'], confidence: 0.5 },
      enrichment_overrides: { about: 'As written' },
    })
    const { text } = await open()
    expect(text).toMatch(/About written by hand .*As written .*Value that Renown read .*As read/)
    expect(text).not.toMatch(/Services written by hand/)
    expect(text).toMatch(/How sure it is 50 of 100/)
  })
})

describe('an owner', () => {
  test('changes the profile, field by field, and takes a field away', async () => {
    await set({ phone: '+1 503-555-0116', city: 'Bath' })
    const { html } = await open()
    expect(html).toContain('value="Bath"')
    const page = await act('profile', { business_name: 'Baker & Sons', website: 'x.example', city: '' })
    expect(page.text).toContain('The profile is saved.')
    const { business_name, website, city, phone } = await location()
    expect({ business_name, website }).toEqual({
      business_name: 'Baker & Sons',
      website: 'https://x.example',
    })
    expect([city ?? '', phone]).toEqual(['', '+1 503-555-0116'])
    const refused = await act('profile', { business_name: 'B', website: 'no address' })
    expect(refused.status).toBe(422)
    expect(refused.html).toMatch(/<input[^>]*id="website"[^>]*aria-invalid="true"/)
    expect(refused.html).toContain('value="no address"')
    expect((await location()).business_name).toBe('Baker & Sons')
    const twin = await put({ google_place_id: 'ChIJ_twin' })
    const page2 = await act('profile', { business_name: 'B', google_place_id: 'ChIJ_twin' })
    expect(page2.html).toContain(`<a href="${onePath}?location=${twin.id}">Open that location</a>`)
  })

  test('says whether it is online only, and tells the AI something', async () => {
    const page = await act('notes', { online_only: 'yes', notes: 'Never\r\napologise.' })
    expect(page.text).toContain('yes, as you say')
    expect(await location()).toMatchObject({
      is_online_only: true,
      is_online_only_overridden: true,
      manual_notes: 'Never\napologise.',
    })
    await act('notes', { online_only: 'inferred', notes: '' })
    const { is_online_only, is_online_only_overridden, manual_notes } = await location()
    // What a person said is taken back at once. The address and the category say nothing here.
    expect([is_online_only, (await open()).text]).toEqual([
      undefined,
      expect.stringContaining('Now: not known yet.'),
    ])
    expect([is_online_only_overridden ?? false, manual_notes ?? '']).toEqual([false, ''])
    const long = await act('notes', { online_only: 'no', notes: 'n'.repeat(4_001) })
    expect(long.status).toBe(422)
    expect(long.html).toMatch(/<textarea[^>]*id="notes"[^>]*aria-invalid="true"/)
  })

  test('writes what was read wrongly, key by key, and takes it back', async () => {
    await set({ enrichment: { about: 'As read', services: ['Bread'] }, enrichment_status: 'success' })
    const page = await act('correct', { key: 'services', services: ' Cakes\r\n\r\nBread, and more\r\nCakes' })
    expect(page.text).toMatch(/Services written by hand .*Cakes +Bread, and more/)
    expect((await location()).enrichment_overrides).toEqual({ services: ['Cakes', 'Bread, and more'] })
    await act('correct', { key: 'about', about: 'As written' })
    expect((await open()).html).toContain('>As written</textarea>')
    const refused = await act('correct', { key: 'about', about: ' ' })
    expect(refused.status).toBe(422)
    expect(refused.html).toMatch(/<textarea[^>]*autofocus[^>]*id="about"[^>]*aria-invalid="true"/)
    expect(refused.html).toMatch(/<details[^>]* open><summary>Correct the description/)
    const long = await act('correct', { key: 'attributes', attributes: 'a'.repeat(121) })
    expect(long.html).toMatch(/<textarea[^>]*id="attributes"[^>]*aria-invalid="true"/)
    for (const key of ['enrichment', '__proto__', ''])
      expect((await act('correct', { key, [key]: 'x' })).status).toBe(422)
    await act('take-back', { key: 'about' })
    expect((await location()).enrichment_overrides).toEqual({ services: ['Cakes', 'Bread, and more'] })
    expect((await location()).enrichment).toEqual({ about: 'As read', services: ['Bread'] })
  })

  test('has it read again, and hears why where there is nothing to read', async () => {
    const refused = await act('refresh')
    expect(refused.text).toContain('There is nothing to read')
    await set({ website: 'https://bakery.example' })
    expect((await open()).html).toContain('action="/app/locations/one/refresh"')
    const pending = await act('refresh')
    expect(pending.text).toMatch(/Renown is reading the profile again.*being read/)
    expect(pending.html).not.toContain('action="/app/locations/one/refresh"')
    expect(await location()).toMatchObject({
      enrichment_status: 'pending',
      enrichment_source: 'manual-refresh',
    })
    await set({ enrichment_method: 'structured+llm:some-model' })
    expect((await open()).text).toContain('and with a language model ( some-model )')
    await set({ enrichment_method: 'structured' })
    expect((await open()).text).toContain('from the data of its site and listing, without a language model')
  })

  test('hears what is wrong in words of the page, and none of the command line', async () => {
    await set({ website: 'https://bakery.example', added_via: 'website' })
    const emptied = await act('profile', { website: '' })
    expect([emptied.status, emptied.text]).toEqual([
      422,
      expect.stringContaining('Required: it was added by its website.'),
    ])
    await put({ business_name: 'Twin', google_place_id: 'ChIJ-1' })
    const twin = await act('profile', { google_place_id: 'ChIJ-1' })
    expect(twin.text).toMatch(/Twin \(loc_\w+\) already has the same Google place id\./)
    const unseen = await act('correct', { key: 'about', about: '\u200b\u200b' })
    await gate.owner.rows(Agency).update(gate.tenant.agencyId, { paid_capacity: 0 })
    await set({ is_active: false })
    const full = await act('activate')
    expect([twin.status, unseen.status, full.status]).toEqual([422, 422, 422])
    for (const { html } of [emptied, twin, unseen, full])
      expect(html.slice(html.indexOf('<main'))).not.toMatch(
        / --[a-z]|added_via|google_place_id already|PLACES_API_KEY/,
      )
  })

  test('has a prospect audited, and again once that has ended', async () => {
    const entity = gate.registry.entities.get('ProspectAudit')
    if (!entity) throw new Error('nothing audits')
    await set({ is_prospect: true, is_active: false, website: 'https://bakery.example' })
    expect((await act('audit')).text).toMatch(/The audit is running\..*waiting/)
    expect((await open()).text).not.toContain('Audit it')
    const [audit] = await gate.owner.rows(entity).list()
    await setRow(gate.documents.collection(entity), audit?.id ?? '', { status: 'failed', error: 'Lost.' })
    expect((await open()).text).toContain('Audit it again')
    expect((await act('audit')).text).toContain('waiting')
    await gate.owner.rows(entity).removeWhere(everything)
  })

  test('switches automatic replies, with a warning where there are no rules and the rules in a sentence', async () => {
    const page = await act('replies')
    expect(page.text).toContain('The agency has set no rules')
    expect(await location()).toMatchObject({ auto_response_enabled: true })
    const set = gate.registry.commands.get('auto-response set')
    const defaults = { ratings: [4, 5], include_unrated: false, tone: 'friendly', allow_templates: false }
    const times = { delay_min_minutes: 60, delay_max_minutes: 1_440, newest_days: 7 }
    await set?.run(gate.owner, { agency_id: gate.tenant.agencyId, enabled: true, ...defaults, ...times })
    expect((await open()).text).toContain('A review of 4 or 5 stars is answered, 1 hour to 24 hours after')
    await act('replies')
    expect(await location()).toMatchObject({ auto_response_enabled: false })
  })

  test('puts it at rest once asked, and activates it', async () => {
    const asked = await ada.open(`/app/locations/sure?location=${id}&to=rest`)
    expect(asked.text).toContain('Pause Bakery?')
    expect((await ada.submit(`${onePath}/rest`)).text).toContain('The location is paused.')
    expect(await location()).toMatchObject({ is_active: false })
    // The path of the last answer is that of the page, because the form was answered with 303.
    const active = await act('activate')
    expect([active.status, active.path]).toEqual([200, `${onePath}?location=${id}&done=activate`])
    expect(await location()).toMatchObject({ is_active: true })
    const entries = await gate.owner.rows(AuditEntry).list({ limit: 50 })
    expect(entries.find(({ action }) => action === 'location.deactivate')).toMatchObject({
      user_id: adaId,
      host: 'http://localhost:3000',
    })
  })

  test('is asked nothing that does not fit how it stands', async () => {
    for (const to of ['sign', 'cancel', 'nothing']) {
      const page = await ada.open(`/app/locations/sure?location=${id}&to=${to}`)
      expect(page.path).toBe(`${onePath}?location=${id}`)
    }
  })

  test('signs a prospect, which is then a client', async () => {
    await set({ is_prospect: true, is_active: false })
    expect((await open()).text).toContain('Sign this prospect')
    await ada.open(`/app/locations/sure?location=${id}&to=sign`)
    const page = await ada.submit(`${onePath}/sign`)
    expect(page.text).toContain('It is a client now.')
    expect(await location()).toMatchObject({ is_prospect: false, is_active: true })
  })

  test('begins a trial where all that is paid for is in use, and cancels it once asked', async () => {
    await put({ business_name: 'First' })
    await set({ is_active: false })
    await gate.owner.rows(Agency).update(gate.tenant.agencyId, { paid_capacity: 1 })
    const refused = await act('activate')
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('It can start with a trial')
    const page = await ada.submit(`${onePath}/trial`)
    expect(page.text).toMatch(/trialing until .*Trial running .*Trial began .*Trial ends/)
    expect(await location()).toMatchObject({ is_active: true, trial_state: 'trialing' })
    await ada.open(`/app/locations/sure?location=${id}&to=cancel`)
    expect((await ada.submit(`${onePath}/cancel`)).text).toContain('without a paid location')
    expect(await location()).toMatchObject({ is_active: false, trial_state: 'ended' })
    expect((await open()).text).not.toContain('Start its trial')
  })

  test('starts the trial that is offered where activating is refused', async () => {
    await put({ business_name: 'First' })
    await set({ business_name: 'Chandler', is_active: false })
    await gate.owner.rows(Agency).update(gate.tenant.agencyId, { paid_capacity: 1 })
    await act('activate')
    expect((await ada.submit(`${onePath}/activate`)).text).toContain('The location is active again.')
    expect(await location()).toMatchObject({ is_active: true, trial_state: 'trialing' })
  })
})
