import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runCommand } from '../../../../core/contexts/run-command'
import { builtin } from '../../../../plugins/index'
import type { ShownSample } from '../../../../plugins/traffic/install/mappingPage'
import { AiTrafficSite } from '../../../../plugins/traffic/records/AiTrafficSite'
import { type Gate, startGate } from '../../../support/harness'
import { formOf, signedIn } from '../../../support/signed-in'

let gate: Gate
let cookie: string
let csrf: string
let site: string
const changed: string[] = []
beforeAll(async () => {
  gate = await startGate({ plugins: builtin, onChanged: (feed) => changed.push(feed) })
  const command = (name: string, input: object) =>
    runCommand({ owner: gate.owner, commands: gate.registry.commands }, name, input)
  await command('location create', { business_name: 'Acme', workspace_id: gate.tenant.workspaceId })
  site = String((await command('site create', { domain: 'shop.example' })).site_id)
  const person = await signedIn(gate)
  cookie = person.cookie
  csrf = person.session.csrf_token
}, 90_000)
afterAll(() => gate.stop())

const post = (action: string, fields: Record<string, string>, accept: string) => {
  const form = formOf({ csrf, site, site_id: site, ...fields }, { cookie })
  return gate.ask(`/app/sites/mapping/${action}`, { ...form, headers: { ...form.headers, accept } })
}
/** A form as a browser without script sends it: the answer is a page. */
const browse = async (action: string, fields: Record<string, string>) =>
  (await post(action, fields, 'text/html')).text()
const send = async (action: string, fields: Record<string, string>) =>
  (await (await post(action, fields, 'application/json')).json()) as {
    ok: boolean
    fault?: string
    shown?: ShownSample
  }
const stored = async () => (await gate.owner.rows(AiTrafficSite).get(site))?.log_mapping ?? null

const address = '203.0.113.77'
const entry = (page: string, more: object = {}) => ({
  when: gate.owner.now().toISOString(),
  page,
  who: { ua: 'GPTBot/1.2', addr: address },
  ...more,
})
const lines = () =>
  [entry('/a'), entry('/b', { who: { ua: 'Mozilla/5.0' } })].map((one) => JSON.stringify(one)).join('\n')
const chosen = { path: 'page', user_agent: 'who.ua', time: 'when', address: 'who.addr' }

test('proposes fields for pasted lines without a script, and shows what each line becomes', async () => {
  const page = await browse('propose', { lines: lines() })
  for (const [name, value] of Object.entries(chosen))
    expect(page).toMatch(new RegExp(`name="${name}"[^]*?<option value="${value}" selected`))
  expect(page).toContain('GET /a')
  expect(page).toContain('address read')
  expect(page).toContain('no address')
  expect(page).toContain('Reason: no known AI agent.')
  expect(page).toContain('Save mapping')
  expect(page).not.toContain(address)
  expect(page).toContain('192.0.2.1')
  expect(await stored()).toBeNull()
})

test('tests other choices with the masked lines that it showed', async () => {
  const { shown } = await send('propose', { lines: lines() })
  const again = await send('test', { lines: shown?.text ?? '', ...chosen, time: '', address: '' })
  expect(again.shown?.lines).toMatchObject([{ outcome: 'rejected', request: { address: 'none' } }, {}])
  const without = await send('test', { lines: shown?.text ?? '', path: 'page' })
  expect(without.shown).toMatchObject({ isIncomplete: true, chosen: { path: 'page' } })
  expect(await browse('test', { lines: shown?.text ?? '', path: 'page' })).toContain('Choose at least')
})

test('saves the mapping that was tested and nothing of the lines, and removes it', async () => {
  const before = changed.length
  expect(await send('save', { ...chosen, time_format: 'iso' })).toMatchObject({ ok: true })
  expect(changed.slice(before)).toEqual(['sites'])
  expect(JSON.parse((await stored()) ?? '')).toEqual({
    path: 'page',
    user_agent: 'who.ua',
    time: 'when',
    address: 'who.addr',
    time_format: 'iso',
  })
  const page = await (
    await gate.ask(`/app/sites/mapping?site=${site}`, { key: null, headers: { cookie } })
  ).text()
  expect(page).toContain('Saved mapping')
  expect(await send('save', { path: 'page' })).toMatchObject({ ok: false })
  expect(await send('remove', {})).toMatchObject({ ok: true })
  expect(await stored()).toBeNull()
})

test('refuses what is too long or empty, and repeats no line then', async () => {
  for (const text of ['', ' \n', `${lines()}${' '.repeat(20_001)}`]) {
    const page = await browse('propose', { lines: text })
    expect(page).toContain('aria-invalid="true"')
    expect(page).not.toContain(address)
  }
})

test('says when there is nothing to choose, or no need', async () => {
  expect(await browse('propose', { lines: 'no json' })).toContain('No line contains a JSON record')
  const known = { ts: gate.owner.now().toISOString(), ip: address, path: '/a', ua: 'GPTBot/1.2' }
  expect(await browse('propose', { lines: JSON.stringify(known) })).toContain('without a mapping')
})

test('is linked from the page Install', async () => {
  const page = await (await gate.ask(`/app/install?site=${site}`, { key: null, headers: { cookie } })).text()
  expect(page).toContain(`/app/sites/mapping?site=${site}`)
})
