import { expect, test } from 'bun:test'
import type { AnyEntity } from 'renown'
import type { AnyPage } from 'renown/pages'
import { addressIn, baseOf, splitAddress } from '../../core/kit/page-addresses'
import { Workspace } from '../../core/tenancy/Workspace'
import type { Gate } from './harness'
import { sampleRow } from './sample-row'
import { formOf, signedIn } from './signed-in'

/** The tests of a plugin's page: for people who are signed in, honest where there is nothing yet, closed to strange forms. */
export function testPage(page: AnyPage, gate: () => Gate): void {
  const { path, events = {}, download, record, isStatic } = page
  const posts = postsOf(page)
  const data = `/app/data/${path.slice('/app/'.length)}`
  const topics = Object.keys(events).map((topic) => `/app/events/${topic}`)

  test(`${path} is for people who are signed in, and no credential opens it`, async () => {
    const files = [
      ...(isStatic ? [] : [`${data}.json`]),
      ...(download ? [`${data}.csv`, `${data}.xlsx`] : []),
    ]
    for (const address of [path, ...files, ...topics]) {
      const wanted = `/app/sign-in?next=${encodeURIComponent(address)}`
      expect((await gate().ask(address, { key: null })).headers.get('location')).toBe(wanted)
      expect((await gate().ask(address)).headers.get('location')).toBe(wanted)
    }
  })

  if (record)
    test(`${path} finds no row of another agency, and none that is nowhere`, async () => {
      const { cookie } = await personOf(gate())
      const foreign = await rowOf(gate(), record.entity)
      for (const id of [foreign, 'none', '']) {
        const answer = await gate().ask(`${path}?${record.param}=${id}`, { key: null, headers: { cookie } })
        expect(`${id} ${answer.status}`).toBe(`${id} ${id === foreign ? 403 : 404}`)
      }
    })
  else
    test(`${path} says something where there is nothing yet, as a page and as data`, async () => {
      const { cookie } = await personOf(gate())
      const workspace = await emptyWorkspace(gate())
      const see = (address: string) =>
        gate().ask(addressIn(baseOf(workspace), address), { key: null, headers: { cookie } })
      const answer = await see(path)
      // A page about one thing has nothing to be about, and leads to the page above it.
      const above = path.slice(0, path.lastIndexOf('/'))
      const led = splitAddress(answer.headers.get('location') ?? '').path
      if (led === above && above !== '/app') return
      const html = await answer.text()
      expect(`${path} ${answer.status}`).toBe(`${path} 200`)
      expect(html.match(/<h1\b/g) ?? []).toHaveLength(1)
      expect(html).not.toMatch(/<[^>]+ style="/)
      if (download) {
        const file = await see(`${data}.csv`)
        expect(`${path} ${file.headers.get('content-type')}`).toBe(`${path} text/csv; charset=utf-8`)
        expect(await file.text()).toMatch(/^\w+(?:,[\w "]+)*\r\n/)
      }
      if (isStatic) return
      const json = await see(`${data}.json`)
      expect(`${path} ${json.status}`).toBe(`${path} 200`)
      const props =
        /<script id="page-props" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}'
      expect(Object.keys((await json.json()) ?? {}).sort()).toEqual(
        Object.keys(JSON.parse(props).data ?? {}).sort(),
      )
    })

  for (const post of posts) {
    test(`${post} does nothing for a form without its token, or from another site`, async () => {
      const { cookie, csrf } = await personOf(gate())
      const send = async (fields: Record<string, string>, origin?: string) => {
        const form = formOf(fields, origin === undefined ? { cookie } : { cookie, origin })
        return (await gate().ask(post, form)).status
      }
      expect(await send({})).toBe(403)
      expect(await send({ csrf: 'a'.repeat(64) })).toBe(403)
      expect(await send({ csrf }, 'https://evil.example')).toBe(403)
    })
  }
}

/** The addresses that take forms of the page, without those of its cards. */
function postsOf({ path, actions = {}, submit }: AnyPage): string[] {
  return [...(submit ? [path] : []), ...Object.keys(actions).map((name) => `${path}/${name}`)]
}

const foreignRows = new WeakMap<Gate, Map<AnyEntity, Promise<string>>>()

/** A row of another agency. Pages of the same record share one, because a second one may have the same unique text. */
function rowOf(gate: Gate, entity: AnyEntity): Promise<string> {
  const rows = foreignRows.get(gate) ?? new Map<AnyEntity, Promise<string>>()
  foreignRows.set(gate, rows)
  const row =
    rows.get(entity) ??
    gate.put(entity, sampleRow(entity, 'foreign'), gate.stranger.workspaceId).then(({ id }) => id)
  rows.set(entity, row)
  return row
}

const people = new WeakMap<Gate, Promise<{ cookie: string; csrf: string }>>()

/** A workspace of the first agency in which nobody has put anything. */
async function emptyWorkspace({ owner, tenant }: Gate): Promise<string> {
  const id = owner.newId(Workspace)
  await owner.rows(Workspace).insert({
    id,
    workspace_id: id,
    name: 'Empty',
    agency_id: tenant.agencyId,
    is_home: false,
    is_active: true,
    timezone: 'UTC',
    locale: 'en',
    plan: 'standard',
    locations_count: 0,
    active_locations_count: 0,
  })
  return id
}

/** One owner for all pages of a gate. */
function personOf(gate: Gate): Promise<{ cookie: string; csrf: string }> {
  const known = people.get(gate)
  if (known) return known
  const made = signedIn(gate).then(({ cookie, session }) => ({ cookie, csrf: session.csrf_token }))
  people.set(gate, made)
  return made
}
