import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { where } from '../../../../../core/contracts/where'
import { definePlugin, Refusal } from '../../../../../core/doors/front'
import { type InboxEntry, inboxEntry } from '../../../../../core/doors/pages'
import { Job } from '../../../../../core/jobs/Job'
import { Connection } from '../../../../../core/outbound/Connection'
import { inbox } from '../../../../../core/product/inbox-plugin'
import { jobsPlugin } from '../../../../../core/product/jobs-plugin'
import { InboxMark } from '../../../../../core/tenancy/inbox/InboxMark'
import { Notification } from '../../../../../core/tenancy/news/Notification'
import { User } from '../../../../../core/tenancy/User'
import { Workspace } from '../../../../../core/tenancy/Workspace'
import { type Gate, startGate } from '../../../../support/harness'
import { quietLog } from '../../../../support/quiet-log'
import { formOf, signedIn } from '../../../../support/signed-in'

const entryOf = (id: string, more: Partial<InboxEntry> = {}): InboxEntry => ({
  id,
  state: 'one',
  title: `Letter ${id}`,
  word: 'Waiting',
  tone: 'warn',
  at: '2026-03-01T10:00:00.000Z',
  ...more,
})

/** What the plugin's source lists for each workspace, or throws. */
const letters = { current: [] as readonly unknown[], fault: '', workspace: '' }
const limits: number[] = []
const posted: string[] = []
const logged: string[] = []
const looks: { next: string | null } = { next: null }
const plugin = definePlugin({
  name: 'letters',
  renown: '^1.0.0',
  provides: [
    inboxEntry.with({
      name: 'letters',
      title: 'Letters',
      order: 10,
      async list(ctx, limit) {
        limits.push(limit)
        if (letters.fault !== '') throw new Error(letters.fault)
        const own = ctx.workspace.id === letters.workspace ? letters.current : []
        return own.slice(0, limit) as InboxEntry[]
      },
      action: {
        label: async (_, { id }) => (id === 'mute' ? null : 'Post letter'),
        run: async (ctx, { id }) => {
          if (id === 'lost') throw new Refusal('conflict', 'The letter is lost.')
          posted.push(`${id} ${ctx.workspace.id} by ${ctx.owner.by?.user_id}`)
        },
      },
      nextLook: async () => looks.next,
    }),
  ],
})

let gate: Gate
let cookie: string
let csrf: string
let userId: string
beforeAll(async () => {
  const log = {
    ...quietLog,
    error: (text: string, more = {}) => void logged.push(`${text} ${JSON.stringify(more)}`),
  }
  gate = await startGate({ plugins: [plugin, inbox, jobsPlugin([])], log })
  const person = await signedIn(gate)
  cookie = person.cookie
  csrf = person.session.csrf_token
  userId = person.userId
})
afterAll(() => gate.stop())
beforeEach(async () => {
  Object.assign(letters, { current: [], fault: '', workspace: gate.tenant.workspaceId })
  looks.next = null
  await gate.owner.rows(InboxMark).removeWhere(where.gt('id', ''))
})

const open = async (path = '/app/inbox') => {
  const answer = await gate.ask(path, { key: null, headers: { cookie } })
  const whole = await answer.text()
  const html = whole.replace(/^.*<main/s, '<main')
  return { status: answer.status, whole, html, text: html.replaceAll(/<[^>]+>/g, ' ') }
}
const press = (name: string, fields: Record<string, string>) =>
  gate.ask(`/app/inbox/${name}`, formOf({ csrf, ...fields }, { cookie }))
const navCount = async () => {
  const { whole } = await open('/app/inbox')
  return /<a href="\/app\/inbox"[^>]*>.*?<span class="count">([^<]*)<\/span>/s.exec(whole)?.[1] ?? null
}
const mark = (id: string, more: Record<string, string> = {}) => ({
  entry: `letters~${id}`,
  state: 'one',
  kind: '',
  following: '',
  ...more,
})

describe('the inbox', () => {
  test('lists entries of all kinds, newest first, with the chosen one beside them', async () => {
    letters.current = [
      entryOf('b', { at: '2026-03-02T10:00:00.000Z', link: { href: '/app/account', label: 'Answer it' } }),
      entryOf('a'),
    ]
    const seen = await open('/app/inbox?entry=letters~b')
    expect(seen.status).toBe(200)
    expect(seen.text.indexOf('Letter b')).toBeLessThan(seen.text.indexOf('Letter a'))
    expect(seen.html).toMatch(/href="\/app\/account"[^>]*>Answer it</)
    expect(seen.text).toMatch(/All\s+2\s+Letters\s+2/)
  })

  test('shows what strangers wrote as text', async () => {
    const text = '<img src=x onerror=alert(1)>'
    const hostile = { title: text, about: text, text, quote: { text, by: text, lang: '"><b>' } }
    letters.current = [entryOf('x', hostile)]
    const { html } = await open('/app/inbox?entry=letters~x')
    expect(html).toContain('&lt;img src=x')
    expect(html).not.toContain('<img')
    expect(html).not.toContain('"><b>')
  })

  test('shows and counts nothing of another workspace', async () => {
    const { workspaceId, otherWorkspaceId } = gate.tenant
    letters.workspace = otherWorkspaceId
    letters.current = [entryOf('theirs')]
    const news = { type: 'x', severity: 'critical', body: 'b', is_read: false } as const
    for (const place of [otherWorkspaceId, gate.stranger.workspaceId]) {
      await gate.put(Notification, { ...news, title: 'Secret news' }, place)
      await gate.put(Connection, broken('Secret account', place), place)
      await gate.owner.rows(Job).insert({ ...failed('secret-queue'), workspace_id: place })
    }
    const { text } = await open(`/app/w/${workspaceId}/inbox`)
    expect(text).not.toMatch(/Letter|Secret|secret/)
    expect(await navCount()).toBeNull()
    const refused = await press('done', { ...mark('theirs'), workspace: workspaceId })
    expect(refused.status).toBe(422)
    expect(await gate.owner.rows(InboxMark).count()).toBe(0)
    const other = await open(`/app/w/${otherWorkspaceId}/inbox`)
    expect(other.text).toMatch(/Letter theirs/)
    expect(other.text).toMatch(/Secret news/)
    await open(`/app/w/${workspaceId}/inbox`)
  })

  test('opens an entry of another workspace there, or says whose it is', async () => {
    const { workspaceId, otherWorkspaceId } = gate.tenant
    const { id } = await gate.put(
      Notification,
      { type: 'x', severity: 'critical', title: 'Theirs', body: 'b', is_read: false },
      otherWorkspaceId,
    )
    const search = `?${new URLSearchParams({ entry: `notifications~${id}` })}`
    const led = await gate.ask(`/app/inbox${search}`, { key: null, headers: { cookie } })
    expect(led.headers.get('location')).toBe(`/app/w/${otherWorkspaceId}/inbox${search}`)
    const other = await open(`/app/w/${otherWorkspaceId}/inbox${search}`)
    expect(other.text).toContain('Theirs')
    const wrong = await open(`/app/w/${workspaceId}/inbox${search}`)
    expect(wrong.status).toBe(403)
    expect(wrong.text).toContain('is about a record of Second')
    expect(wrong.text).not.toContain('It was handled')
    await open(`/app/w/${workspaceId}/inbox`)
  })

  test('hides what is done, goes on with the next entry, and takes it back', async () => {
    letters.current = [entryOf('b', { at: '2026-03-02T10:00:00.000Z' }), entryOf('a')]
    const { html } = await open('/app/inbox?entry=letters~b')
    expect(html).toContain('name="following" value="letters~a"')
    const done = await press('done', mark('b', { following: 'letters~a' }))
    const to = done.headers.get('location') ?? ''
    expect(`${done.status} ${to}`).toBe('303 /app/inbox?entry=letters%7Ea&done=finished&undo=letters%7Eb')
    const after = await open(to)
    expect(after.text).toContain('Marked as done.')
    expect(after.text).not.toContain('Letter b')
    expect(after.html).toContain('action="/app/inbox/undo"')
    expect(await navCount()).toBe('1')
    const undone = await press('undo', { entry: 'letters~b', kind: '' })
    expect(undone.status).toBe(303)
    expect((await open(undone.headers.get('location') ?? '')).text).toContain('Letter b')
    expect(await gate.owner.rows(InboxMark).count()).toBe(0)
  })

  test('goes on with the entry before the last, and with none after the only one', async () => {
    letters.current = [entryOf('b', { at: '2026-03-02T10:00:00.000Z' }), entryOf('a')]
    const last = await open('/app/inbox?entry=letters~a')
    expect(last.html).toContain('name="following" value="letters~b"')
    letters.current = [entryOf('a')]
    const only = await open('/app/inbox?entry=letters~a')
    expect(only.html).toContain('name="following" value/>')
  })

  test('brings a done entry back once it changes', async () => {
    letters.current = [entryOf('a')]
    await press('done', mark('a'))
    expect((await open()).text).not.toContain('Letter a')
    letters.current = [entryOf('a', { state: 'two' })]
    expect((await open()).text).toContain('Letter a')
    // The form of a page that shows the earlier state changes nothing.
    const stale = await press('done', mark('a'))
    expect(stale.status).toBe(422)
    expect(await stale.text()).toContain('changed since you opened it')
    expect((await press('done', mark('a', { state: 'two' }))).status).toBe(303)
    expect((await open()).text).not.toContain('Letter a')
    expect(await gate.owner.rows(InboxMark).count()).toBe(1)
  })

  test('snoozes until the next morning, and says when something comes back', async () => {
    letters.current = [entryOf('a')]
    const snoozed = await press('snooze', mark('a', { until: 'tomorrow' }))
    expect(snoozed.headers.get('location')).toContain('done=snoozed')
    const hidden = await open()
    expect(hidden.text).toContain('All done.')
    expect(hidden.text).toContain('Next look:')
    const [row] = await gate.owner.rows(InboxMark).list()
    expect(row?.until?.slice(10)).toBe('T08:00:00.000Z')
    expect((await press('snooze', mark('a', { until: 'never' }))).status).toBe(422)
    await gate.owner.rows(InboxMark).update(row?.id ?? '', { until: '2020-01-01T08:00:00.000Z' })
    expect((await open()).text).toContain('Letter a')
  })

  test('says that a kind is unavailable, and never that all is done', async () => {
    for (const break_ of [
      () => Object.assign(letters, { fault: 'the store is away' }),
      () =>
        Object.assign(letters, {
          current: [{ ...entryOf('a'), link: { href: '//evil.example', label: 'x' } }],
        }),
      () => Object.assign(letters, { fault: '', current: [{ id: 'a' }] }),
    ]) {
      Object.assign(letters, { fault: '', current: [] })
      break_()
      const { status, text, html } = await open()
      expect(status).toBe(200)
      expect(text).toMatch(/Letters\s+unavailable/)
      expect(text).not.toContain('All done')
      expect(html).not.toContain('evil.example')
    }
    expect(await navCount()).toBeNull()
    const refused = await press('done', mark('a'))
    expect(await refused.text()).toContain('Letters cannot be read at the moment')
  })

  test('says what an empty inbox waits for', async () => {
    expect((await open()).text).not.toContain('Next look')
    looks.next = new Date(gate.clock.now().getTime() + 3 * 3_600_000).toISOString()
    expect((await open()).text).toMatch(/All done\.[\s\S]*Next look:\s+in 3 h/)
  })

  test('reads a bounded number of entries, and pages through them', async () => {
    letters.current = Array.from({ length: 1_000 }, (_, i) => entryOf(`n${String(i).padStart(4, '0')}`))
    limits.length = 0
    const first = await open()
    expect(Math.max(...limits)).toBe(200)
    expect(first.text).toMatch(/Letters\s+200\+/)
    expect(first.html.match(/class="inbox-line dim"/g)).toHaveLength(50)
    expect(first.html).toContain('href="/app/inbox?at=2"')
    const last = await open('/app/inbox?at=4')
    expect(last.text).toContain('Only the newest entries are listed.')
    expect(last.text).toContain('Letter n0199')
    expect(await navCount()).toBe('99+')
    expect((await open('/app/inbox?at=99')).text).toContain('Letter n0199')
  })

  test('asks each source once for a page, or once more if it has more entries than the navigation counts', async () => {
    const asked = async (path: string, entries: number) => {
      letters.current = Array.from({ length: entries }, (_, n) => entryOf(String(n), { tone: 'bad' }))
      limits.length = 0
      expect((await open(path)).status).toBe(200)
      return [...limits]
    }
    expect(await asked('/app', 3)).toEqual([100])
    expect(await asked('/app/inbox', 3)).toEqual([100])
    expect(await asked('/app', 150)).toEqual([100])
    expect(await asked('/app/inbox', 150)).toEqual([100, 200])
  })

  test('marks several entries at once, as they were seen, and one Undo brings them back', async () => {
    const states = ['one', 'two~2 %', 'three']
    letters.current = states.map((state, n) => entryOf(`n${n}`, { state }))
    const chosenIn = (html: string) =>
      [...html.matchAll(/name="chosen" value="([^"]+)"/g)].map(([, item = '']) => item)
    const send = async (name: string, chosen: readonly string[]) => {
      const form = formOf({ csrf }, { cookie })
      const body = new URLSearchParams([
        ['csrf', csrf],
        ...chosen.map((item) => ['chosen', item] as [string, string]),
      ])
      return (await gate.ask(`/app/inbox/${name}`, { ...form, body: body.toString() })).text()
    }
    const chosen = chosenIn((await open()).html)
    expect(chosen).toHaveLength(3)
    limits.length = 0
    letters.current = [entryOf('n0', { state: 'changed' }), ...letters.current.slice(1)]
    const done = await send('several-done', chosen)
    expect(done).toContain('2 entries marked as done.')
    expect(done).toContain('1 entry: This entry changed since you opened it. Check it again.')
    expect((await open()).text.match(/Letter n\d/g)).toHaveLength(1)
    const items = chosenIn(done.replaceAll('type="hidden" ', ''))
    expect(await send('undo-done', items.slice(0, 2))).toContain('2 entries back in the inbox.')
    expect((await open()).text.match(/Letter n\d/g)).toHaveLength(3)
    expect(await send('several-snooze', chosen.slice(1))).toContain('2 entries snoozed.')
  })

  test('has a file of the entries of its kind', async () => {
    letters.current = [entryOf('a', { title: '=1+1' })]
    const file = await gate.ask('/app/data/inbox.csv?kind=letters', { key: null, headers: { cookie } })
    const lines = (await file.text()).trim().split('\r\n')
    expect(lines[0]).toContain('entry,kind,title,state,about,at,quote')
    expect(lines).toHaveLength(2)
    expect(lines[1]).not.toContain(',=1+1')
    const wrong = await gate.ask('/app/data/inbox.csv?kind=parcels', { key: null, headers: { cookie } })
    expect(wrong.status).toBe(422)
  })

  test('filters by kind, and names the kinds where the address has another', async () => {
    letters.current = [entryOf('a')]
    expect((await open('/app/inbox?kind=letters')).text).toContain('Letter a')
    expect((await open('/app/inbox?kind=jobs')).text).not.toContain('Letter a')
    const unknown = await open('/app/inbox?kind=parcels')
    expect(unknown.text).toMatch(/kind\s+=\s+parcels\s*: use letters, connections, jobs, notifications\./)
  })

  test('has what core knows: broken accounts, failed work and critical news', async () => {
    const { workspaceId } = gate.tenant
    const news = { type: 'x', title: 'Look here', body: 'In full', is_read: false } as const
    await gate.put(Notification, { ...news, severity: 'critical' })
    await gate.put(Notification, { ...news, title: 'Merely news', severity: 'info' })
    await gate.put(Connection, broken('Harbour', workspaceId))
    await gate.put(Connection, { ...broken('Fine', workspaceId), state: 'connected' })
    await gate.owner.rows(Job).insert({ ...failed('send-reply'), workspace_id: workspaceId })
    const { text } = await open()
    expect(text).toMatch(/Connections\s+1[\s\S]*Failed work\s+1[\s\S]*Notifications\s+1/)
    expect(text).toContain('reconnect Harbour')
    expect(text).toContain('Work failed: send-reply')
    expect(text).toContain('Look here')
    expect(text).not.toMatch(/Merely news|no access to|Fine/)
    await gate.owner.rows(User).update(userId, { role: 'member', workspace_ids: [workspaceId] })
    const member = await open()
    await gate.owner.rows(User).update(userId, { role: 'owner', workspace_ids: undefined })
    expect(member.text).toContain('Look here')
    expect(member.text).not.toMatch(/reconnect Harbour|Work failed/)
  })

  test('runs the main action of an entry, in the state that was seen', async () => {
    letters.current = [entryOf('a'), entryOf('mute'), entryOf('lost')]
    const shown = await open('/app/inbox?entry=letters~a')
    expect(shown.html).toContain('action="/app/inbox/act"')
    expect(shown.text).toContain('Post letter')
    expect((await open('/app/inbox?entry=letters~mute')).text).not.toContain('Post letter')
    const pressed = await press('act', mark('a'))
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, '/app/inbox?done=started'])
    expect(posted).toEqual([`a ${gate.tenant.workspaceId} by ${userId}`])
    expect((await press('act', mark('a', { state: 'older' }))).status).toBe(422)
    expect((await press('act', mark('mute'))).status).toBe(422)
    expect(await (await press('act', mark('lost'))).text()).toContain('The letter is lost.')
    expect((await press('act', { ...mark('a'), csrf: '' })).status).toBe(403)
    expect(posted).toHaveLength(1)
  })

  test('retries failed work, and logs a source that cannot be read once', async () => {
    const { workspaceId } = gate.tenant
    await gate.owner.rows(Job).removeWhere(where.gt('id', ''))
    const job = await gate.owner.rows(Job).insert({ ...failed('send-reply'), workspace_id: workspaceId })
    const { html, text } = await open(`/app/inbox?entry=jobs~${job.id}`)
    expect(text).toMatch(/Retry/)
    const state = /name="state" value="([^"]*)"/.exec(html)?.[1] ?? ''
    expect((await press('act', mark('', { entry: `jobs~${job.id}`, state }))).status).toBe(303)
    expect(await gate.owner.rows(Job).get(job.id)).toMatchObject({ state: 'queued', attempt: 0 })
    expect((await open()).text).not.toContain('Work failed')
    await gate.owner.rows(Job).removeWhere(where.gt('id', ''))
    letters.fault = 'The post office is closed.'
    logged.length = 0
    await open()
    const away = await open()
    // What could not be read may hold more, so the number is what is certain, and says that it may be more.
    expect(away.text).toMatch(/Inbox +(\?|\d+\+) +\(a part could not be read\)/)
    expect(logged).toEqual([
      expect.stringMatching(/^a source of the inbox could not be read .*letters.*post office/),
    ])
  })

  test('checks its forms', async () => {
    letters.current = [entryOf('a')]
    expect((await press('done', { ...mark('a'), csrf: '' })).status).toBe(403)
    expect((await press('done', mark('a', { more: 'x' }))).status).toBe(422)
    expect((await press('done', mark('b'))).status).toBe(422)
    expect(await gate.owner.rows(InboxMark).count()).toBe(0)
  })

  test('marks entries in a demo too, in its own workspace', async () => {
    const { workspaceId } = gate.tenant
    letters.current = [entryOf('a')]
    await gate.owner.rows(Workspace).update(workspaceId, { is_demo: true })
    const { html } = await open('/app/inbox?entry=letters~a')
    const pressed = await press('done', mark('a'))
    await gate.owner.rows(Workspace).update(workspaceId, { is_demo: undefined })
    expect(html).toContain('action="/app/inbox/done"')
    expect([
      pressed.status,
      (await gate.owner.rows(InboxMark).list({ limit: 2 })).map((row) => row.workspace_id),
    ]).toEqual([303, [workspaceId]])
    await gate.owner.rows(InboxMark).removeWhere(where.eq('workspace_id', workspaceId))
  })

  test('names its keys only where the person switched single keys on', async () => {
    letters.current = [entryOf('a')]
    expect((await open('/app/inbox?entry=letters~a')).whole).not.toMatch(/data-key-hints|data-help/)
    await gate.owner.rows(User).update(userId, { shortcuts_on: true })
    const { html, whole } = await open('/app/inbox?entry=letters~a')
    expect(html).toContain('data-key="e"')
    expect(html).toContain('data-list')
    expect(whole).toMatch(/data-key-hints[\s\S]*data-help/)
  })
})

const broken = (account_name: string, workspace_id: string) =>
  ({
    workspace_id,
    provider: 'google',
    account_id: account_name,
    account_name,
    state: 'broken',
    error: 'The token ended.',
  }) as const

const failed = (queue: string) =>
  ({
    queue,
    key: 'k',
    state: 'failed',
    is_active: false,
    payload: {},
    due_at: '2026-03-01T10:00:00.000Z',
    attempt: 3,
    waits: 0,
    fence: 3,
    error: { kind: 'permanent', message: 'It did not answer.' },
  }) as const
