import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PluginDeclaration } from 'renown'
import { type Location, type LocationCard, locationCard } from 'renown/locations'
import type { HomeCard } from 'renown/pages'
import { homeCard } from '../../core/contracts/home'
import { corePlugins } from '../../core/product/core-plugins'
import { BusinessLocation } from '../../core/tenancy/BusinessLocation'
import { User } from '../../core/tenancy/User'
import { builtin } from '../../plugins'
import { type Gate, startGate } from './harness'
import { formOf, signedIn } from './signed-in'

type Fields = Readonly<Record<string, string>>

/** How `testLocationCard` drives a card of the page of a location. */
export interface LocationCardSuite {
  readonly plugin: PluginDeclaration
  /** Further plugins that it needs, beside those in the box. */
  readonly with?: readonly PluginDeclaration[]
  /** Name of the card. */
  readonly name: string
  /** Fields of a location that has the card. */
  readonly location?: Partial<Location>
  /** Puts the rows that the card shows. */
  prepare?(gate: Gate, location: Location): Promise<void>
  /** Words that the card shows then. */
  readonly shows: string
  /** For each action of the card, fields that it accepts. */
  readonly forms?: Readonly<Record<string, Fields>>
  /** For each action that leads to another page, the beginning of its address. */
  readonly leadsTo?: Readonly<Record<string, string>>
}

/** How `testHomeCard` drives a card of the home page. */
export interface HomeCardSuite {
  readonly plugin: PluginDeclaration
  /** Further plugins that it needs, beside those in the box. */
  readonly with?: readonly PluginDeclaration[]
  /** Name of the card. */
  readonly name: string
  /** Puts rows into the workspace of `gate.tenant`, so that the card says something. */
  prepare(gate: Gate): Promise<void>
  /** Words that the home page shows then. */
  readonly shows: string
}

interface Setup {
  readonly plugin: PluginDeclaration
  readonly with?: readonly PluginDeclaration[]
}

interface World {
  readonly gate: Gate
  readonly userId: string
  open(path: string): Promise<{ readonly status: number; readonly html: string; readonly text: string }>
  send(path: string, fields: Fields): Promise<Response>
}

/** Plugins of the same name stand in place of those in the box. Rows of a demo are not needed. */
async function worldOf({ plugin, with: others = [] }: Setup): Promise<World> {
  const own = [plugin, ...others]
  const names = new Set([...own, ...corePlugins].map(({ name }) => name))
  const box = builtin.filter(({ name }) => !names.has(name))
  const needed = corePlugins.filter(({ name }) => name === 'jobs')
  const gate = await startGate({ plugins: [...own, ...box, ...needed] })
  const { cookie, session, userId } = await signedIn(gate)
  return {
    gate,
    userId,
    async open(path) {
      const answer = await gate.ask(path, { key: null, headers: { cookie } })
      const html = (await answer.text()).replace(/^.*<main/s, '<main')
      return { status: answer.status, html, text: html.replaceAll(/<[^>]+>/g, ' ') }
    },
    send: (path, fields) => gate.ask(path, formOf({ csrf: session.csrf_token, ...fields }, { cookie })),
  }
}

const onePath = '/app/locations/one'
const addressOf = (id: string) => `${onePath}?location=${id}`

/**
 * Writes the tests of the contract of `locations.card`: what the card shows, of whose rows, that every form has an action that is checked,
 * and that members and demos change nothing. Call it in a test file.
 */
export function testLocationCard(suite: LocationCardSuite): void {
  const { name, forms = {} } = suite
  const held: { world?: World; location?: Location } = {}
  const world = () => held.world as World
  const put = (more: object = {}, workspaceId?: string) =>
    world().gate.put(
      BusinessLocation,
      {
        business_name: 'Bakery',
        is_active: true,
        is_prospect: false,
        auto_response_enabled: false,
        ...suite.location,
        ...more,
      },
      workspaceId,
    ) as Promise<Location>
  const card = () =>
    world()
      .gate.registry.extensions(locationCard)
      .find((one) => one.name === name) as LocationCard
  const paths = () => Object.keys(card().actions ?? {}).map((action) => `${onePath}/${action}`)

  describe(`the location card ${name}`, () => {
    beforeAll(async () => {
      held.world = await worldOf(suite)
      held.location = await put()
      await suite.prepare?.(world().gate, held.location)
    })
    afterAll(() => held.world?.gate.stop())
    const id = () => (held.location as Location).id

    test('is provided, and shows its rows on the page of their location only', async () => {
      expect(card()).toBeDefined()
      const { status, text } = await world().open(addressOf(id()))
      expect(`${status} ${text}`).toMatch(/^200 /)
      expect(text).toContain(suite.shows)
      if (!suite.prepare) return
      const other = await put({ business_name: 'Forge' })
      expect((await world().open(addressOf(other.id))).text).not.toContain(suite.shows)
    })

    test('has a form for each of its actions in the suite', () => {
      expect(Object.keys(card().actions ?? {}).toSorted()).toEqual(Object.keys(forms).toSorted())
    })

    test('refuses forms without a token, with a strange field, and of a location of another agency', async () => {
      const foreign = await put({}, world().gate.stranger.workspaceId)
      for (const path of paths()) {
        const sent = forms[path.slice(onePath.length + 1)] ?? {}
        const status = async (fields: Fields) => (await world().send(path, { ...sent, ...fields })).status
        expect(`${path} ${await status({ location: id(), csrf: '' })}`).toBe(`${path} 403`)
        expect(`${path} ${await status({ location: id(), not_a_field: 'x' })}`).toBe(`${path} 422`)
        expect(`${path} ${await status({ location: foreign.id })}`).toBe(`${path} 403`)
      }
    })

    test('shows members and demos no form, and changes nothing for them', async () => {
      const { gate, userId, open, send } = world()
      const made = await put({ is_demo: true })
      const people = gate.owner.rows(User)
      for (const path of paths()) expect((await send(path, { location: made.id })).status).toBe(409)
      const seen = [await open(addressOf(made.id))]
      await people.update(userId, { role: 'member', workspace_ids: [gate.tenant.workspaceId] })
      seen.push(await open(addressOf(id())))
      for (const path of paths()) expect((await send(path, { location: id() })).status).toBe(403)
      await people.update(userId, { role: 'owner', workspace_ids: undefined })
      for (const { html } of seen) expect(html).not.toMatch(/<form[^>]* action="\/app\/locations\/one\//)
    })

    for (const [action, fields] of Object.entries(forms)) {
      test(`${action} does what it says, and the page says so`, async () => {
        const done = card().actions?.[action]?.done ?? 'no notice'
        const back = addressOf(id())
        const answer = await world().send(`${onePath}/${action}`, { ...fields, location: id(), back })
        const elsewhere = suite.leadsTo?.[action]
        const led = `${answer.status} ${answer.headers.get('location')}`
        if (elsewhere !== undefined) {
          expect(led).toStartWith(`303 ${elsewhere}`)
          return
        }
        expect(led).toBe(`303 ${back}&done=${action}`)
        expect((await world().open(`${back}&done=${action}`)).text).toContain(done)
      })
    }
  })
}

/**
 * Writes the tests of the contract of `home.card`: what the card says with and without rows, that it says nothing of other workspaces, where
 * it leads to, and what its buttons do. Call it in a test file.
 */
export function testHomeCard(suite: HomeCardSuite): void {
  const held: { world?: World; before?: string } = {}
  const world = () => held.world as World
  const card = () =>
    world()
      .gate.registry.extensions(homeCard)
      .find((one) => one.name === suite.name) as HomeCard
  const other = () => world().open(`/app/w/${world().gate.tenant.otherWorkspaceId}`)

  describe(`the home card ${suite.name}`, () => {
    beforeAll(async () => {
      held.world = await worldOf(suite)
      held.before = (await other()).text
      await suite.prepare(world().gate)
    })
    afterAll(() => held.world?.gate.stop())

    test('says what its rows say, and nothing of them in another workspace', async () => {
      const { tenant } = world().gate
      const { status, text } = await world().open(`/app/w/${tenant.workspaceId}`)
      expect(status).toBe(200)
      expect(text).toContain(suite.shows)
      expect((await other()).text).toBe(held.before ?? '')
    })

    test('leads to a page that is there', async () => {
      expect((await world().open(card().href)).status).toBe(200)
    })

    test('runs its actions for forms with a token and without fields', async () => {
      for (const name of Object.keys(card().actions ?? {})) {
        const status = async (fields: Fields) => (await world().send(`/app/home/${name}`, fields)).status
        expect([
          name,
          await status({ csrf: '' }),
          await status({ not_a_field: 'x' }),
          await status({}),
        ]).toEqual([name, 403, 422, 303])
      }
    })
  })
}
