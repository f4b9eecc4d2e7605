import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../../../core/contracts/where'
import { definePlugin } from '../../../../../core/doors/front'
import { type ClientFigures, type ClientReads, clientFigures } from '../../../../../core/doors/pages'
import { Job } from '../../../../../core/jobs/Job'
import { Connection } from '../../../../../core/outbound/Connection'
import { inbox } from '../../../../../core/product/inbox-plugin'
import { jobsPlugin } from '../../../../../core/product/jobs-plugin'
import { Agency } from '../../../../../core/tenancy/Agency'
import { Notification } from '../../../../../core/tenancy/news/Notification'
import { User } from '../../../../../core/tenancy/User'
import { Workspace } from '../../../../../core/tenancy/Workspace'
import { type Gate, startGate } from '../../../../support/harness'
import { signedIn } from '../../../../support/signed-in'

/** What the plugin knows of each workspace, or why it knows nothing. */
const given = { figures: new Map<string, unknown>(), fault: '' }
const seen: { reads: ClientReads | null } = { reads: null }
const plugin = definePlugin({
  name: 'letters',
  renown: '^1.0.0',
  provides: [
    clientFigures.with({
      name: 'letters',
      order: 10,
      columns: [
        {
          name: 'letters',
          title: 'Letters',
          worst: 'high',
          href: '/app/account?of=letters',
          definition: 'Letters that wait.',
        },
        {
          name: 'stars',
          title: 'Stars',
          worst: 'low',
          href: '/app/account',
          definition: 'Stars of letters.',
        },
      ],
      async load(reads) {
        seen.reads = reads
        if (given.fault !== '') throw new Error(given.fault)
        return given.figures as Map<string, ClientFigures>
      },
    }),
  ],
})

let gate: Gate
let cookie: string
let userId: string
let home: string
let second: string
beforeAll(async () => {
  gate = await startGate({ plugins: [plugin, inbox, jobsPlugin([])] })
  const person = await signedIn(gate)
  cookie = person.cookie
  userId = person.userId
  home = gate.tenant.workspaceId
  second = gate.tenant.otherWorkspaceId
})
afterAll(() => gate.stop())
beforeEach(() => {
  Object.assign(given, { figures: new Map(), fault: '' })
})

const open = async (path = '/app/clients', headers: Record<string, string> = {}) => {
  const answer = await gate.ask(path, { key: null, headers: { cookie, ...headers } })
  const whole = await answer.text()
  const html = whole.replace(/^.*<main/s, '<main')
  return { status: answer.status, whole, html, text: html.replaceAll(/<[^>]+>/g, ' ') }
}
/** Names of the rows, in their order. */
const names = async (query = '') => {
  const { html } = await open(`/app/clients${query}`)
  return [...html.matchAll(/<th scope="row">.*?<bdi>(.*?)<\/bdi>/gs)].map(([, name]) => name)
}
const figure = (letters: number | null, stars: number | null, active_at?: string): ClientFigures => ({
  cells: {
    letters: { value: letters, text: letters === null ? 'Not connected' : String(letters) },
    stars: { value: stars, text: stars === null ? '–' : stars.toFixed(1) },
  },
  ...(active_at === undefined ? {} : { active_at }),
})
const add = (name: string, more: object = {}) =>
  gate.put(
    Workspace,
    {
      name,
      agency_id: gate.tenant.agencyId,
      is_home: false,
      timezone: 'UTC',
      locale: 'en',
      plan: 'x',
      locations_count: 0,
      active_locations_count: 0,
      is_active: true,
      ...more,
    },
    gate.tenant.agencyId,
  )
const drop = (ids: readonly string[]) => gate.owner.rows(Workspace).removeWhere(where.in('id', [...ids]))

describe('the list of clients', () => {
  test('has a row for each workspace, with its problems, its figures and its pages', async () => {
    given.figures = new Map([
      [home, figure(3, 4.5, '2026-03-14T10:00:00.000Z')],
      [second, figure(null, null)],
    ])
    await gate.put(Connection, { ...account, workspace_id: second } as never, second)
    await gate.put(
      Connection,
      { ...account, workspace_id: gate.stranger.workspaceId } as never,
      gate.stranger.workspaceId,
    )
    const { html, text, status } = await open()
    expect(status).toBe(200)
    expect(text).toMatch(/Home\s+home\s+None\s+3\s+4\.5/)
    expect(text).toMatch(/Second\s+1\s+Not connected\s+–\s+None known/)
    expect(html).toContain(`href="/app/w/${home}/account?of=letters"`)
    expect(html).toContain(`href="/app/w/${second}"`)
    expect(html).toContain(`href="/app/clients/one?of=${second}"`)
    expect(text).toContain('Letters that wait.')
    await gate.owner.rows(Connection).removeWhere(where.eq('provider', 'google'))
  })

  test('counts failed work and critical notifications that nobody read', async () => {
    const news = { type: 'x', title: 't', body: 'b', severity: 'critical' } as const
    await gate.owner.rows(Job).insert({ ...failed, workspace_id: second })
    await gate.put(Notification, { ...news, is_read: false }, second)
    await gate.put(Notification, { ...news, is_read: true }, second)
    expect((await open()).text).toMatch(/Second\s+2\s/)
    await gate.owner.rows(Job).removeWhere(where.eq('workspace_id', second))
    await gate.owner.rows(Notification).removeWhere(where.eq('workspace_id', second))
  })

  test('shows nothing of other agencies, and hands a plugin no rows of theirs', async () => {
    const { text } = await open()
    expect(text).not.toContain(gate.stranger.workspaceId)
    const rows = await seen.reads?.rows(Workspace).list()
    expect(rows?.map(({ id }) => id).toSorted()).toEqual([home, second].toSorted())
    const asked = [second, gate.stranger.workspaceId]
    const among = await seen.reads?.rows(Workspace, asked).group({
      where: where.or(where.eq('id', second), where.eq('id', gate.stranger.workspaceId)),
      by: ['id'],
      measures: [{ as: 'n', fn: 'count' }],
    })
    expect(among?.map(({ id }) => id)).toEqual([second])
    expect(await seen.reads?.rows(Workspace, []).list()).toEqual([])
  })

  test('says so where figures cannot be read, and shows no zero', async () => {
    given.fault = 'the letters are away'
    const { text } = await open()
    expect(text).toMatch(/Second\s+None\s+Unavailable\s+Unavailable/)
    expect(text).not.toContain('the letters are away')
    given.fault = ''
    given.figures = new Map([[second, { cells: { letters: { value: Number.NaN, text: 'x' } } }]])
    expect((await open()).text).toMatch(/Second\s+None\s+Unavailable/)
    const csv = await gate.ask('/app/data/clients.csv', { key: null, headers: { cookie } })
    expect(await csv.text()).toContain('unavailable')
  })

  test('sorts by each column, the worst first, with what is not known last', async () => {
    const made = [await add('Anchor'), await add('Bakery'), await add('Café')]
    const [a, b, c] = made.map(({ id }) => id)
    const ids = [String(a), String(b), String(c)] as const
    given.figures = new Map([
      [ids[0], figure(1, 3, '2026-03-01T00:00:00.000Z')],
      [ids[1], figure(9, 4, '2026-03-10T00:00:00.000Z')],
      [ids[2], figure(9, 2)],
    ])
    expect((await names()).slice(0, 3)).toEqual(['Café', 'Bakery', 'Anchor'])
    // Equal rows stay in the usual order, in which the fewer stars are worse.
    expect((await names('?sort=letters')).slice(0, 3)).toEqual(['Café', 'Bakery', 'Anchor'])
    expect((await names('?sort=-letters')).slice(0, 3)).toEqual(['Anchor', 'Café', 'Bakery'])
    expect((await names('?sort=stars')).slice(0, 3)).toEqual(['Café', 'Anchor', 'Bakery'])
    expect((await names('?sort=-stars')).slice(0, 3)).toEqual(['Bakery', 'Anchor', 'Café'])
    expect((await names('?sort=last_activity')).slice(0, 2)).toEqual(['Anchor', 'Bakery'])
    expect((await names('?sort=name')).slice(0, 3)).toEqual(['Anchor', 'Bakery', 'Café'])
    const sorted = await open('/app/clients?sort=stars')
    expect(sorted.html).toMatch(/aria-sort="ascending"><a href="\/app\/clients\?sort=-stars">Stars/)
    expect(sorted.html).toContain('<option value>Worst first</option>')
    const unknown = await open('/app/clients?sort=<b>')
    expect(unknown.text).toContain('Use name, problems, letters, stars, last_activity.')
    expect(await names('?q=caf')).toEqual(['Café'])
    expect((await open('/app/clients?q=nobody')).text).toContain('No client has this name.')
    await drop(ids)
  })

  test('has pages, and a download of all rows in the same order', async () => {
    const made = await Promise.all(
      Array.from({ length: 58 }, (_, n) => add(`Client ${String(n).padStart(2, '0')}`)),
    )
    given.figures = new Map(made.map(({ id }, n) => [id, figure(n, 1)]))
    const first = await open()
    expect(first.text).toContain('1 to 50 of 60')
    expect(first.html).toContain('href="/app/clients?at=2"')
    expect(await names()).toHaveLength(50)
    expect((await names())[0]).toBe('Client 57')
    expect(await names('?at=2')).toHaveLength(10)
    expect(await names('?at=99')).toHaveLength(10)
    const csv = await gate.ask('/app/data/clients.csv?sort=name', { key: null, headers: { cookie } })
    const lines = (await csv.text()).trim().split('\r\n')
    expect(lines[0]).toBe('workspace_id,name,problems,letters,stars,last_activity')
    expect(lines).toHaveLength(61)
    expect(lines[1]).toContain(',Client 00,0,0,1,')
    await drop(made.map(({ id }) => id))
  })

  test('has every one of a thousand clients, on its pages and in its file', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, n) => n)
    const idOf = (n: number) => `wsp_${String(n).padStart(26, '0')}`
    await gate.owner.rows(Workspace).insertMany(
      numbers.map((n) => ({
        id: idOf(n),
        workspace_id: idOf(n),
        name: `Client ${String(n).padStart(4, '0')}`,
        agency_id: gate.tenant.agencyId,
        is_home: false,
        timezone: 'UTC',
        locale: 'en',
        plan: 'x',
        locations_count: 0,
        active_locations_count: 0,
        is_active: true,
      })),
    )
    given.figures = new Map(numbers.map((n) => [idOf(n), figure(n, 1)]))
    const last = await open('/app/clients?sort=-letters&at=21')
    expect(last.text).toContain('1001 to 1002 of 1002')
    expect((await names('?sort=-letters')).slice(0, 2)).toEqual(['Client 0000', 'Client 0001'])
    expect((await names('?q=0999'))[0]).toBe('Client 0999')
    const csv = await gate.ask('/app/data/clients.csv', { key: null, headers: { cookie } })
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(1_003)
    await drop(numbers.map(idOf))
  })
})

describe('who sees clients', () => {
  const as = (role: 'owner' | 'member', workspace_ids?: string[]) =>
    gate.owner.rows(User).update(userId, { role, workspace_ids })
  const inNavigation = (whole: string) => whole.includes('href="/app/clients" ')

  test('a member of one workspace sees no such page', async () => {
    await as('member', [home])
    const { status, whole } = await open()
    const csv = await gate.ask('/app/data/clients.csv', { key: null, headers: { cookie } })
    const at = await open('/app')
    await as('owner')
    expect([status, csv.status, inNavigation(whole), inNavigation(at.whole)]).toEqual([
      404,
      404,
      false,
      false,
    ])
    expect(inNavigation((await open('/app')).whole)).toBe(true)
  })

  test('a member of several sees those, and manages none', async () => {
    const third = await add('Third')
    await as('member', [home, third.id])
    const { status, text, html } = await open()
    const managing = await Promise.all(
      ['new', `one?of=${third.id}`, `archive?of=${third.id}`, `invite?of=${third.id}`].map(
        async (path) => (await open(`/app/clients/${path}`)).status,
      ),
    )
    await as('owner')
    await drop([third.id])
    expect(status).toBe(200)
    expect(text).toContain('Third')
    expect(text).not.toContain('Second')
    expect(html).not.toContain('Manage')
    expect(html).not.toContain('Add client')
    expect(managing).toEqual([403, 403, 403, 403])
  })

  test('in a demo the list shows the workspaces of the demo, which nobody manages', async () => {
    const oldest = [{ field: 'created_date', direction: 'asc' }] as const
    const [first] = await gate.owner.rows(Agency).list({ sort: oldest, limit: 1 })
    const demo = { name: 'Demo agency', is_platform: false, is_demo: true, is_active: true }
    const { id: agency_id } = await gate.owner.rows(Agency).insert({ ...demo, workspace_id: 'agc_demo' })
    const made = await add('Made up', { agency_id, is_demo: true })
    const person = await signedIn(gate, { agencyId: first?.id ?? '', email: 'first@example.com' })
    const inDemo = await open(`/app/w/${made.id}/clients`, { cookie: person.cookie })
    const one = await open(`/app/clients/one?of=${made.id}`, { cookie: person.cookie })
    await drop([made.id])
    await gate.owner.rows(Agency).removeWhere(where.eq('id', agency_id))
    await gate.owner.rows(User).removeWhere(where.eq('id', person.userId))
    expect(inDemo.text).toContain('Made up')
    expect(inDemo.text).not.toContain('Second')
    expect(inDemo.html).not.toContain('Manage')
    expect(one.status).toBe(404)
  })
})

const account = {
  provider: 'google',
  account_id: 'a',
  account_name: 'A',
  state: 'broken',
  error: 'The token ended.',
} as const
const failed = {
  queue: 'q',
  key: 'k',
  state: 'failed',
  is_active: false,
  payload: {},
  due_at: '2026-03-01T10:00:00.000Z',
  attempt: 3,
  waits: 0,
  fence: 3,
  error: { kind: 'permanent', message: 'It did not answer.' } as const,
} as const
