import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { metricsText } from '../../../../core/contracts/metrics'
import { where } from '../../../../core/contracts/where'
import { definePlugin } from '../../../../core/doors/front'
import { type InboxEntry, inboxEntry } from '../../../../core/doors/pages'
import { createGatewayMetrics } from '../../../../core/http/metrics'
import { Job } from '../../../../core/jobs/Job'
import { inbox } from '../../../../core/product/inbox-plugin'
import { jobsPlugin } from '../../../../core/product/jobs-plugin'
import { asCore } from '../../../../core/registry/own-context'
import { User } from '../../../../core/tenancy/User'
import { languageName, languages, preferredLanguage } from '../../../../core/web/framework/language'
import { type Gate, startGate } from '../../../support/harness'
import { greetedPage } from '../../../support/pages'
import { formOf, signedIn } from '../../../support/signed-in'

const at = '2026-03-01T10:00:00.000Z'
const listed: { entries: InboxEntry[] } = { entries: [] }
const plugin = definePlugin({
  name: 'greeting',
  renown: '^1.0.0',
  provides: [
    // A source of a plugin without words.
    inboxEntry.with({
      name: 'letters',
      title: 'Letters',
      order: 10,
      list: async () => listed.entries,
      action: { label: async () => 'Post letter', run: async () => {} },
    }),
  ],
  pages: [greetedPage],
})

let gate: Gate
let cookie: string
let csrf: string
let userId: string
beforeAll(async () => {
  gate = await startGate({ plugins: [plugin, asCore(inbox), asCore(jobsPlugin([]))] })
  const person = await signedIn(gate)
  cookie = person.cookie
  csrf = person.session.csrf_token
  userId = person.userId
})
afterAll(() => gate.stop())
beforeEach(() => {
  listed.entries = []
  return speak('de')
})

const speak = (language: string | undefined) => gate.owner.rows(User).update(userId, { language })
const open = async (path: string) => {
  const answer = await gate.ask(path, { key: null, headers: { cookie } })
  const html = await answer.text()
  return { status: answer.status, html, main: /<main.*<\/main>/s.exec(html)?.[0] ?? '' }
}
const press = (path: string, fields: Record<string, string>) =>
  gate.ask(path, formOf({ csrf, ...fields }, { cookie }))
const langOf = (html: string) => ({
  html: /<html lang="([^"]*)"/.exec(html)?.[1],
  main: /<main[^>]* lang="([^"]*)"/.exec(html)?.[1],
  title: /<title(?: lang="([^"]*)")?>/.exec(html)?.[1],
})

describe('the pages of a person who chose German', () => {
  test('are in German inside and around, where the room has the words', async () => {
    const { html, main } = await open('/app/inbox')
    expect(langOf(html)).toEqual({ html: 'de', main: undefined, title: undefined })
    expect(html).toContain('<title>Posteingang · ')
    expect(html).toMatch(/aria-label="Seiten"[\s\S]*Posteingang/)
    expect(main).toContain('Alles erledigt.')
    expect(html).not.toMatch(/>(Inbox|All done\.|Sign out|More|Settings)</)
  })

  test('say that they are in English where the room has none, settings tabs in German among it', async () => {
    const { html } = await open('/app/account')
    expect(langOf(html)).toEqual({ html: 'de', main: 'en', title: 'en' })
    expect(html).toMatch(/<nav class="within" lang="de" aria-label="Einstellungen"/)
    expect(html).toMatch(/<h1>Account<\/h1>/)
    expect(html).not.toMatch(/gerade eben/)
  })

  test('mark what a plugin without words says as English, and texts of strangers as before', async () => {
    const quote = { text: 'Grazie mille', by: 'Zoë', lang: 'it' }
    listed.entries = [
      {
        id: 'a',
        state: 's',
        title: 'A letter came',
        word: 'Waiting',
        tone: 'warn',
        at,
        about: 'Harbour',
        quote,
      },
    ]
    const { main } = await open('/app/inbox?entry=letters~a')
    expect(main).toMatch(/<span lang="en">Letters<\/span>/)
    expect(main).toMatch(/<h2><bdi><span lang="en">A letter came<\/span><\/bdi><\/h2>/)
    expect(main).toMatch(/<span lang="en">Waiting<\/span>/)
    expect(main).toMatch(/<span lang="en">Post letter<\/span>/)
    expect(main).toMatch(/<bdi>Harbour<\/bdi>/)
    expect(main).toMatch(/<blockquote class="quote" dir="auto" lang="it">Grazie mille/)
    expect(main).toMatch(/Bis morgen zurückstellen/)
  })

  test('say German notices and faults, and what was stored in English as English', async () => {
    const { workspaceId } = gate.tenant
    const job = await gate.owner.rows(Job).insert({ ...failed, workspace_id: workspaceId })
    const { main } = await open(`/app/inbox?entry=jobs~${job.id}`)
    expect(main).toContain('Aufgabe fehlgeschlagen: send-reply')
    expect(main).toMatch(/<span lang="en">It did not answer\.<\/span>\nWiederholen Sie die Aufgabe/)
    const state = /name="state" value="([^"]*)"/.exec(main)?.[1] ?? ''
    const marked = { entry: `jobs~${job.id}`, kind: '', following: '' }
    const stale = await press('/app/inbox/done', { ...marked, state: 'older' })
    const refused = await stale.text()
    expect(stale.status).toBe(422)
    expect(refused).toContain('<title>Fehler: Posteingang · ')
    expect(refused).toMatch(/Nichts wurde geändert[\s\S]*Dieser Eintrag hat sich geändert/)
    const done = await press('/app/inbox/done', { ...marked, state })
    const after = await open(done.headers.get('location') ?? '')
    expect(after.main).toMatch(/role="status"[\s\S]*Als erledigt markiert\.[\s\S]*Rückgängig/)
    const invalid = await press('/app/inbox/done', { ...marked, state, more: 'x' })
    expect(await invalid.text()).toContain('<span lang="en">A value in the form is invalid.</span>')
    await gate.owner.rows(Job).removeWhere(where.gt('id', ''))
  })

  test('get the words of their own room as data, in one language, and no script has any', async () => {
    const { html, main } = await open('/app/greeted')
    expect(langOf(html)).toEqual({ html: 'de', main: undefined, title: undefined })
    expect(main).toContain('<h1 title="Aus der Ferne gegrüßt">Aus der Ferne gegrüßt</h1>')
    expect(main).toContain('2.000 leuchtende Sterne')
    expect(main).toMatch(/<p id="mixed">Bitte zu <a href="[^"]*">Aus der Ferne gegrüßt<\/a> gehen\.<\/p>/)
    expect(main).toMatch(/vor 3 Std\.<span class="exact">/)
    expect(main).toContain('<p id="untranslated"><span lang="en">Nobody said this in German</span></p>')
    const props = JSON.parse(
      /<script id="page-props" type="application\/json">(.*?)<\/script>/.exec(html)?.[1] ?? '{}',
    )
    expect(props.data.language).toBe('de')
    expect(props.language).toMatchObject({
      lang: 'de',
      own: { missing: ['untranslated'], messages: { title: 'Aus der Ferne gegrüßt' } },
      parts: { justNow: 'gerade eben' },
    })
    expect(JSON.stringify(props)).not.toMatch(/shining|Posteingang|just now/)
    const scripts = [...html.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+\.js)"/g)].map(
      ([, path = '']) => path,
    )
    expect(scripts.length).toBeGreaterThan(1)
    for (const path of scripts)
      expect(await (await gate.ask(path, { key: null })).text()).not.toMatch(
        /shining|leuchtend|just now|gerade/,
      )
  })
})

test('a person who chose nothing, or a language that is gone, has English pages', async () => {
  for (const language of [undefined, 'xx']) {
    await speak(language)
    const { html, main } = await open('/app/inbox')
    expect(langOf(html)).toEqual({ html: 'en', main: undefined, title: undefined })
    expect(main).toContain('All done.')
    expect((await open('/app/greeted')).html).toContain('2,000 shining stars')
  }
})

test('the account page offers every language by its own name, and saves the choice', async () => {
  const { main } = await open('/app/account')
  expect(main).toMatch(/<option value="en">English<\/option><option value="de" selected(="")?\/?>Deutsch</)
  const saved = await press('/app/account/language', { language: 'en' })
  expect(saved.headers.get('location')).toBe('/app/account?done=language')
  expect((await gate.owner.rows(User).get(userId))?.language).toBe('en')
  expect((await press('/app/account/language', { language: 'xx' })).status).toBe(422)
  expect(languages).toEqual(['en', 'de'])
  expect(['en', 'de', 'pt-BR'].map(languageName)).toEqual(['English', 'Deutsch', 'Português (Brasil)'])
})

test.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr-FR, fr;q=0.9, de;q=0.4, en;q=0.8', 'en'],
  ['en;q=0.2, DE;q=0.7', 'de'],
  ['de;q=0, en', 'en'],
  ['den', null],
  ['fr, *;q=0.5', null],
  ['', null],
  [null, null],
  [';q=;, ,den-,x'.repeat(500), null],
])('a browser that accepts %p prefers %p', (header, language) => {
  expect(preferredLanguage(header, ['en', 'de'])).toBe(language)
})

test('operators see how many messages each language lacks in each room', () => {
  const text = metricsText(createGatewayMetrics().read())
  expect(text).toContain('renown_gateway_words_missing{language="de",room="inbox"} 0\n')
  expect(text).toContain('renown_gateway_words_missing{language="de",room="greeted"} 1\n')
})

const failed = {
  queue: 'send-reply',
  key: 'k',
  state: 'failed',
  is_active: false,
  payload: {},
  due_at: at,
  attempt: 3,
  waits: 0,
  fence: 3,
  error: { kind: 'permanent', message: 'It did not answer.' },
} as const
