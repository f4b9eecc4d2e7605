import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { addressIn, baseOf } from '../../../../core/kit/page-addresses'
import { User } from '../../../../core/tenancy/User'
import { type Gate, startGate } from '../../../support/harness'
import { Note } from '../../../support/notes-plugin'
import { counterPage, withPages } from '../../../support/pages'
import { formOf, signedIn } from '../../../support/signed-in'

let gate: Gate
let cookie: string
let csrf: string
let userId: string
beforeAll(async () => {
  gate = await startGate({ plugins: [withPages(counterPage)] })
  const person = await signedIn(gate)
  cookie = person.cookie
  csrf = person.session.csrf_token
  userId = person.userId
  await put('of home', gate.tenant.workspaceId)
  await put('=HYPERLINK("x"),"y"', gate.tenant.workspaceId)
  await put('of the second', gate.tenant.otherWorkspaceId)
  await put("of a stranger's", gate.stranger.workspaceId)
})
afterAll(() => gate.stop())

const put = (title: string, workspaceId: string) =>
  gate.put(Note, { title, stage: 'new', secret: 'hush', is_archived: false }, workspaceId)
const browse = (path: string, headers: Record<string, string> = {}) =>
  gate.ask(path, { key: null, headers: { cookie, ...headers } })
const send = (action: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const form = formOf({ csrf, ...fields }, { cookie })
  return gate.ask(`/app/counter/${action}`, { ...form, headers: { ...form.headers, ...headers } })
}
const json = { accept: 'application/json' }
const scriptOf = (html: string) => /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? ''

describe("a plugin's page", () => {
  test('is rendered on the server, with what its component was given beside it', async () => {
    const answer = await browse('/app/counter')
    expect(answer.status).toBe(200)
    const html = await answer.text()
    expect(html).toContain('<li>of home</li>')
    expect(html).not.toContain('of the second')
    expect(html).not.toContain('hush')
    const props = /<script id="page-props" type="application\/json">(.*?)<\/script>/.exec(html)?.[1] ?? ''
    expect(JSON.parse(props)).toMatchObject({
      data: { stage: 'new', titles: expect.arrayContaining(['of home']) },
      path: '/app/counter',
      search: '',
      workspace: { id: gate.tenant.workspaceId, name: 'Home', is_demo: false },
    })
    expect(html).toMatch(/<a href="\/app\/counter" aria-current="page"/)
  })

  test('runs scripts and sheets of this host alone, and asks it alone', async () => {
    const { headers } = await browse('/app/counter')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('keeps text that would end the script, or run, as text', async () => {
    const evil = '</script><script>alert(1)</script><!--'
    const { id } = await put(evil, gate.tenant.workspaceId)
    const html = await (await browse('/app/counter')).text()
    await gate.owner.rows(Note).removeWhere({ op: 'eq', field: 'id', value: id })
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&lt;script>alert(1)&lt;/script>')
  })

  test('has scripts under the hash of what they hold, kept for ever, and zipped', async () => {
    const html = await (await browse('/app/counter')).text()
    const path = scriptOf(html)
    expect(path).toMatch(/^\/app\/assets\/[a-z0-9]+\.js$/)
    const plain = await gate.ask(path, { key: null })
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('set-cookie')).toBeNull()
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const text = await plain.text()
    for (const [accepted, encoding, unzip] of [
      ['br, gzip', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const zipped = await gate.ask(path, { key: null, headers: { 'accept-encoding': accepted } })
      expect(zipped.headers.get('content-encoding')).toBe(encoding)
      expect(unzip(await zipped.arrayBuffer()).toString()).toBe(text)
    }
    const [, sheet = ''] = [...html.matchAll(/href="(\/app\/assets\/[^"]+\.css)"/g)].map(([, path]) => path)
    expect(await (await gate.ask(sheet, { key: null })).text()).toBe('#stage{color:inherit}')
    expect((await gate.ask('/app/assets/nothing.js', { key: null })).status).toBe(404)
  })

  test('offers the same data as JSON and as a table, to whoever is signed in alone', async () => {
    const data = await browse('/app/data/counter.json?stage=done')
    expect(await data.json()).toEqual({ stage: 'done', titles: [] })
    expect(data.headers.get('cache-control')).toBe('no-store')
    const table = await browse('/app/data/counter.csv')
    expect(table.headers.get('content-disposition')).toBe('attachment; filename="counter.csv"')
    const bytes = Buffer.from(await table.arrayBuffer())
    expect(bytes.toString('hex', 0, 3)).toBe('efbbbf')
    const lines = bytes.toString().slice(1).split('\r\n')
    expect(lines[0]).toBe('title')
    expect(lines).toContain(`"'=HYPERLINK(""x""),""y"""`)
    expect((await gate.ask('/app/data/counter.json', { key: null })).status).toBe(303)
    expect((await gate.ask('/app/data/counter.json')).status).toBe(303)
  })
})

describe("a page's forms", () => {
  test('do what they say and lead back to the page as it was', async () => {
    const answer = await send('add', { title: 'from a form', back: '/app/counter?stage=new' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/app/counter?stage=new')
    expect(await (await browse('/app/counter')).text()).toContain('<li>from a form</li>')
  })

  test('never lead elsewhere', async () => {
    for (const back of ['https://evil.example/', '//evil.example', '/app/key', '/app/counterfeit'])
      expect((await send('add', { title: 'again', back })).headers.get('location')).toBe('/app/counter')
  })

  test('show the page again with what was wrong and what was typed', async () => {
    const answer = await send('add', { title: 'x' })
    expect(answer.status).toBe(422)
    const html = await answer.text()
    expect(html).toContain('At least two letters.')
    expect(html).toMatch(/<input[^>]*name="title"[^>]*value="x"/)
    expect(await (await send('add', { title: 'refused' })).text()).toContain('There is one like it.')
    expect((await send('add', { title: 'fine', more: 'x' })).status).toBe(422)
  })

  test('answer scripts with JSON', async () => {
    expect(await (await send('add', { title: 'by script' }, json)).json()).toEqual({
      action: 'add',
      ok: true,
    })
    const refused = await send('add', { title: 'x' }, json)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ ok: false, faults: { title: 'At least two letters.' } })
    const forged = await send('add', { title: 'forged', csrf: 'a'.repeat(64) }, json)
    expect(forged.status).toBe(403)
    expect(await forged.json()).toMatchObject({ ok: false })
  })

  test('tell scripts where somebody proves who they are first', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...json }
    const out = await gate.ask('/app/counter/add', { method: 'POST', key: null, headers, body: 'title=x' })
    expect(out.status).toBe(401)
    expect(await out.json()).toMatchObject({ ok: false, to: '/app/sign-in?next=%2Fapp%2Fcounter' })
    const later = await startGate({ plugins: [withPages(counterPage)] })
    const person = await signedIn(later)
    later.clock.advance(10 * 60_000 + 1)
    const form = formOf({ csrf: person.session.csrf_token }, { cookie: person.cookie })
    const asked = { ...form, headers: { ...form.headers, ...json } }
    const answer = await later.ask('/app/counter/mint', asked)
    await later.stop()
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ to: '/app/confirm?next=%2Fapp%2Fcounter' })
  })

  test('show what is shown once, and the page does not have it afterwards', async () => {
    expect(await (await send('mint', {})).text()).toContain('token-shown-once')
    expect(await (await browse('/app/counter')).text()).not.toContain('token-shown-once')
  })
})

describe('the workspace that pages are about', () => {
  const titles = async (workspace = '') => {
    const base = workspace === '' ? '' : baseOf(workspace)
    const answer = await browse(addressIn(base, '/app/data/counter.json'))
    return ((await answer.json()) as { titles: string[] }).titles
  }
  const choose = (workspace: string, back = '/app/counter') =>
    gate.ask('/app/workspace', formOf({ csrf, workspace, back }, { cookie }))

  test('is changed by a form or a link, and stays so for the session', async () => {
    const other = gate.tenant.otherWorkspaceId
    expect((await choose(other)).headers.get('location')).toBe(`/app/w/${other}/counter`)
    expect(await titles()).toEqual(['of the second'])
    expect(await titles(gate.tenant.workspaceId)).toContain('of home')
    expect(await titles()).toEqual(['of the second'])
    await browse(addressIn(baseOf(gate.tenant.workspaceId), '/app/counter'))
    expect(await titles()).toContain('of home')
  })

  test('is that of the tab, however far behind it is: its form, its refusal and its way back', async () => {
    const { workspaceId: home, otherWorkspaceId: other } = gate.tenant
    await choose(home)
    const tab = await (await browse(`/app/w/${home}/counter`)).text()
    const [, action = ''] = /action="([^"]+\/counter\/add)"/.exec(tab) ?? []
    expect(action).toBe(`/app/w/${home}/counter/add`)
    await choose(other)
    const sent = (title: string) =>
      gate.ask(action, formOf({ csrf, title, back: '/app/counter?stage=new' }, { cookie }))
    const done = await sent('of the tab behind')
    expect(done.headers.get('location')).toBe(`/app/w/${home}/counter?stage=new`)
    expect(await titles(home)).toContain('of the tab behind')
    expect(await titles(other)).toEqual(['of the second'])
    const refused = await (await sent('x')).text()
    expect(refused).toContain(`action="/app/w/${home}/counter/add"`)
    expect((await browse(`/app/w/${home}/counter`)).headers.get('cache-control')).toBe('no-store')
  })

  test('that a person may no longer open answers neither the address nor a form of an old tab', async () => {
    const { workspaceId: home, otherWorkspaceId: other } = gate.tenant
    const given = (workspace_ids: string[] | undefined) =>
      gate.owner.rows(User).update(userId, { workspace_ids })
    await given([other])
    const page = await browse(`/app/w/${home}/counter`)
    expect(page.status).toBe(403)
    const text = await page.text()
    expect(text).toContain('Ask an owner for access, or choose another workspace.')
    expect(text).toContain(`href="/app/w/${other}/counter"`)
    expect(text).not.toContain('of home')
    const form = formOf({ csrf, title: 'of an old tab' }, { cookie })
    expect((await gate.ask(`/app/w/${home}/counter/add`, form)).status).toBe(403)
    await given(undefined)
    for (const workspace of [home, other]) expect(await titles(workspace)).not.toContain('of an old tab')
  })

  test("is never another agency's", async () => {
    const { workspaceId } = gate.stranger
    expect((await choose(workspaceId)).headers.get('location')).toBe('/app/workspace')
    expect(await titles(workspaceId)).toBeUndefined()
    expect(await titles()).toContain('of home')
  })

  test('is one of those that a person was given, where they were given some', async () => {
    const given = (workspace_ids: string[] | undefined) =>
      gate.owner.rows(User).update(userId, { workspace_ids })
    await given([gate.tenant.otherWorkspaceId])
    expect(await titles()).toEqual(['of the second'])
    expect(await titles(gate.tenant.workspaceId)).toBeUndefined()
    const page = await (await browse('/app/workspace')).text()
    expect(page).toContain('Second')
    expect(page).not.toContain('<bdi>Home</bdi>')
    await given([])
    expect((await browse('/app/counter')).status).toBe(404)
    expect((await browse('/app/data/counter.json')).status).toBe(404)
    await given(undefined)
    expect(await titles()).toContain('of home')
  })
})

describe('news of a page', () => {
  test('come as they happen, until the session ends', async () => {
    const { cookie: own, session } = await signedIn(gate, { agencyId: gate.platform.agencyId })
    const answer = await gate.ask('/app/events/ticks', { key: null, headers: { cookie: own } })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    let heard = ''
    while (!/data: \{"count":2\}/.test(heard)) {
      const { value, done } = await reader.read()
      if (done) throw new Error(`the stream ended after ${heard}`)
      heard += new TextDecoder().decode(value)
    }
    expect(heard).toStartWith('retry: 2000\n\n')
    await reader.cancel()
    expect(session.id).toBeString()
    expect((await gate.ask('/app/events/ticks', { key: null })).status).toBe(303)
  })
})
