import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { where } from '../../../../../core/contracts/where'
import { demoContents } from '../../../../../core/demo/contents'
import { definePlugin, Refusal } from '../../../../../core/doors/front'
import { defineAction, type HomeCard, homeCard } from '../../../../../core/doors/pages'
import { Job } from '../../../../../core/jobs/Job'
import { startWorker } from '../../../../../core/jobs/worker'
import { withCore } from '../../../../../core/product/core-plugins'
import { Agency } from '../../../../../core/tenancy/Agency'
import { BusinessLocation } from '../../../../../core/tenancy/BusinessLocation'
import { madeUp } from '../../../../../core/tenancy/made-up'
import { User } from '../../../../../core/tenancy/User'
import { Workspace } from '../../../../../core/tenancy/Workspace'
import locations from '../../../../../plugins/locations'
import traffic from '../../../../../plugins/traffic'
import { type Gate, startGate } from '../../../../support/harness'
import { counterPage, withPages } from '../../../../support/pages'
import { quietLog } from '../../../../support/quiet-log'
import { formOf, signedIn } from '../../../../support/signed-in'
import { waitFor } from '../../../../support/wait-for'

const said = { current: '' }
const lists: { ranges(): Promise<unknown> } = { ranges: async () => [] }
const pressed: string[] = []
const card: HomeCard = {
  name: 'notes',
  title: 'Notes',
  href: '/app/counter',
  order: 50,
  async load(ctx) {
    if (said.current === 'throw') throw new Error('nothing to say today')
    const text = `in ${ctx.workspace.id} <b>`
    const buttons = [
      { action: 'tidy', label: 'Tidy up' },
      { action: 'sweep', label: 'Sweep up' },
    ]
    return { text, figure: '1,234', state: said.current === 'todo' ? 'todo' : 'info', buttons }
  },
  actions: {
    tidy: defineAction({
      input: v.strictObject({}),
      auth: 'session',
      done: 'It is tidy.',
      async run(ctx) {
        if (said.current === 'refuse') throw new Refusal('conflict', 'It is tidy already.')
        pressed.push(`${ctx.workspace.id} by ${ctx.owner.by?.user_id}`)
      },
    }),
    sweep: defineAction({
      input: v.strictObject({}),
      auth: 'session',
      only: 'owner',
      refusesDemo: true,
      async run() {
        pressed.push('swept')
      },
    }),
  },
}
const owners: HomeCard = {
  name: 'owners',
  title: 'For owners',
  href: '/app/owners',
  order: 51,
  only: 'owner',
  load: async () => ({ text: 'to be done', state: 'todo' }),
}
const withCards = definePlugin({
  ...withPages(counterPage),
  provides: [card, owners].map((one) => homeCard.with(one)),
})
/** Its made-up days need ClickHouse. */
const { demo: _, ...withoutDemo } = traffic
let gate: Gate
let cookie: string
let csrf: string
let userId: string
beforeAll(async () => {
  gate = await startGate({
    counter: { ranges: () => lists.ranges() } as never,
    plugins: withCore([withCards, locations, withoutDemo]),
  })
  const person = await signedIn(gate)
  cookie = person.cookie
  csrf = person.session.csrf_token
  userId = person.userId
})
afterAll(() => gate.stop())

const home = () => gate.ask('/app', { key: null, headers: { cookie } })
const text = async () => (await (await home()).text()).replaceAll(/<style>.*?<\/style>|<[^>]+>/gs, ' ')
const press = (path: string, fields: Record<string, string> = {}) =>
  gate.ask(path, formOf({ csrf, ...fields }, { cookie }))

describe('the overview', () => {
  test('says what there is, and what plugins say of their pages', async () => {
    const seen = await text()
    expect(seen).toMatch(/Add a business location\s+to do/)
    expect(seen).toContain('1,234')
    expect(seen).toContain(`in ${gate.tenant.workspaceId} &lt;b>`)
    await gate.put(BusinessLocation, {
      business_name: 'Bakery',
      is_active: true,
      is_prospect: false,
      auto_response_enabled: false,
    })
    expect(await text()).toMatch(/Add a business location\s+done/)
  })

  test('puts what is to be done before what is done', async () => {
    said.current = 'todo'
    const seen = await text()
    said.current = ''
    expect(seen).toMatch(/Notes\s+to do/)
    expect(seen.indexOf('Notes')).toBeLessThan(seen.indexOf('Add a business location'))
    expect(seen).toMatch(/Add a business location\s+done/)
  })

  test('stands where a page has nothing to say at the moment', async () => {
    said.current = 'throw'
    const answer = await home()
    said.current = ''
    expect(answer.status).toBe(200)
    const seen = await answer.text()
    expect(seen).toContain('For owners')
    expect(seen.replaceAll(/<[^>]+>/g, ' ')).toMatch(/Notes\s+Unavailable\s+This figure could not be read\./)
  })

  test('says what is wrong with the address lists, and never that everything is set up meanwhile', async () => {
    const list = (status: string) => ({ operator: 'OpenAI', status })
    const seen = async (ranges: () => Promise<unknown>) => {
      lists.ranges = ranges
      const shown = await text()
      lists.ranges = async () => [list('fresh')]
      return shown
    }
    const failing = await seen(async () => [
      list('never_fetched'),
      list('stale'),
      list('unused'),
      list('fresh'),
    ])
    expect(failing).toMatch(/Load the address lists\s+to do/)
    expect(failing).toContain('2 of 4 lists of crawler addresses are not loaded or out of date.')
    const unknown = await seen(() => Promise.reject(new Error('the ingest is away')))
    expect(unknown).toContain('Their state cannot be read: the ingest is away')
    for (const shown of [failing, unknown]) expect(shown).not.toContain('Everything is set up')
    expect(await text()).not.toContain('address lists')
  })

  test('keeps from members what is for owners', async () => {
    const { workspaceId } = gate.tenant
    await gate.owner.rows(User).update(userId, { role: 'member', workspace_ids: [workspaceId] })
    const seen = await text()
    expect(seen).not.toContain('For owners')
    expect(seen).not.toContain('Look at a demo')
    expect((await press('/app/demo')).status).toBe(403)
    expect((await press('/app/start', { business: 'Mine' })).status).toBe(403)
    await press('/app/locations', { name: 'A member may not' })
    await gate.owner.rows(User).update(userId, { role: 'owner', workspace_ids: undefined })
    expect(await text()).not.toContain('A member may not')
    expect(await gate.owner.rows(BusinessLocation).count()).toBe(1)
  })

  test('runs the action of a button as the person, and says what was done', async () => {
    said.current = 'todo'
    expect(await text()).toContain('Tidy up')
    const answer = await press('/app/home/tidy')
    expect(answer.headers.get('location')).toBe('/app?done=tidy')
    expect(pressed).toEqual([`${gate.tenant.workspaceId} by ${userId}`])
    const after = await gate.ask('/app?done=tidy', { key: null, headers: { cookie } })
    expect(await after.text()).toContain('It is tidy.')
    said.current = 'refuse'
    const refused = await press('/app/home/tidy')
    said.current = ''
    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('It is tidy already.')
    expect((await press('/app/home/tidy', { more: 'x' })).status).toBe(422)
    expect(pressed).toHaveLength(1)
  })

  test('shows and runs for members what is for members, and changes no demo', async () => {
    const { workspaceId } = gate.tenant
    said.current = 'todo'
    await gate.owner.rows(User).update(userId, { role: 'member', workspace_ids: [workspaceId] })
    const seen = await text()
    const sweep = await press('/app/home/sweep')
    await gate.owner.rows(User).update(userId, { role: 'owner', workspace_ids: undefined })
    expect([seen.includes('Tidy up'), seen.includes('Sweep up'), sweep.status]).toEqual([true, false, 403])
    await gate.owner.rows(Workspace).update(workspaceId, { is_demo: true })
    expect((await press('/app/home/sweep')).status).toBe(409)
    await gate.owner.rows(Workspace).update(workspaceId, { is_demo: undefined })
    said.current = ''
    expect(pressed).not.toContain('swept')
  })

  test('leads to the first steps while things bear made-up names, and not for ever', async () => {
    const rename = (name: string) => gate.owner.rows(Agency).update(gate.tenant.agencyId, { name })
    await rename(madeUp.agency)
    expect((await home()).headers.get('location')).toBe('/app/start')
    await press('/app/start/skip')
    expect((await home()).status).toBe(200)
    await rename('Agency')
  })
})

describe('the demo', () => {
  const demos = () => gate.owner.rows(Workspace).count(where.eq('is_demo', true))
  /** Agencies that were made in one millisecond stand in the order of their ids. */
  const agencies = () =>
    gate.owner.rows(Agency).list({ sort: [{ field: 'created_date', direction: 'asc' }], limit: 2 })
  const personOf = async (agencyId = '') => {
    await gate.owner.rows(User).removeWhere(where.eq('agency_id', agencyId))
    const { cookie: own, session } = await signedIn(gate, { agencyId })
    return {
      see: async (path = '/app') => {
        const answer = await gate.ask(path, { key: null, headers: { cookie: own } })
        return (await answer.text()).replace(/<style>.*?<\/style>/s, '')
      },
      press: (path: string) => gate.ask(path, formOf({ csrf: session.csrf_token }, { cookie: own })),
    }
  }

  /** Runs what was queued. */
  const worked = async () => {
    const { registry, documents, owner, clock } = gate
    const worker = startWorker({ queues: registry.queues, documents, owner, clock, log: quietLog })
    await waitFor(async () => (await gate.owner.rows(Job).count(where.eq('is_active', true))) === 0, {
      what: 'the queues to be empty',
    })
    await worker.stop()
  }

  test('that cannot be created says why, and offers another try', async () => {
    const owner = await personOf((await agencies())[0]?.id)
    await owner.press('/app/demo')
    const failed = {
      state: 'failed',
      is_active: false,
      error: { kind: 'permanent', message: 'No space <b>' },
    } as const
    await gate.owner.rows(Job).updateMany(where.eq('queue', 'create-demo'), failed)
    expect(await owner.see('/app/demo')).toContain('No space &lt;b>')
    expect(await owner.see('/app/demo')).toContain('Try again')
    await gate.owner.rows(Job).removeWhere(where.eq('queue', 'create-demo'))
    expect(await owner.see('/app/demo')).not.toContain('No space')
  })

  test("is the first agency's alone", async () => {
    const other = await personOf((await agencies())[1]?.id)
    expect(await other.see()).not.toContain('Look at a demo')
    expect((await other.press('/app/demo')).status).toBe(404)
    expect(await other.see('/app/demo')).toContain('This agency has no demo.')
    expect(await demos()).toBe(0)
  })

  test('is made with one press, seen by its owner alone, and gone with another', async () => {
    const [first, second] = await agencies()
    const owner = await personOf(first?.id)
    const other = await personOf(second?.id)
    const before = await gate.owner.rows(Workspace).count()
    const pressed = await owner.press('/app/demo')
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/app/demo'])
    // A second press, or another window, creates no second one.
    expect((await owner.press('/app/demo')).status).toBe(303)
    expect(await gate.owner.rows(Job).count(where.eq('queue', 'create-demo'))).toBe(1)
    expect(await owner.see('/app/demo')).toContain('data-reload="1"')
    expect(await owner.see('/app/demo')).toContain(demoContents)
    expect(await owner.see()).not.toContain('This is a demo.')
    await worked()
    expect(await demos()).toBeGreaterThan(0)
    expect(await owner.see('/app/demo')).not.toContain('data-reload')
    expect(await owner.see()).toContain('This is a demo.')
    const [space] = await gate.owner.rows(Workspace).list({ where: where.eq('is_demo', true), limit: 1 })
    expect(await other.see(`/app/w/${space?.id}`)).not.toContain('This is a demo.')
    await owner.press('/app/demo/remove')
    expect(await demos()).toBe(0)
    expect(await gate.owner.rows(Workspace).count()).toBe(before)
    expect(await owner.see()).not.toContain('This is a demo.')
  })
})
