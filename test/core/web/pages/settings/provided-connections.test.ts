import { afterEach, beforeEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { defineConnection } from '../../../../../core/contracts/connection'
import { ServiceFault } from '../../../../../core/contracts/service-fault'
import { defineSettings, setting, settingForm } from '../../../../../core/contracts/setting'
import { definePlugin } from '../../../../../core/kit'
import { Connection } from '../../../../../core/outbound/Connection'
import { createConnections } from '../../../../../core/outbound/connections'
import { withCore } from '../../../../../core/product/core-plugins'
import { declaredConnections } from '../../../../../core/registry/declared-connections'
import { type Gate, startGate } from '../../../../support/harness'
import { signedIn } from '../../../../support/signed-in'
import { createVisitor, type Visitor } from '../../../../support/visitor'

const settings = defineSettings({ GUILD_APP: setting(settingForm.text, '', 'The app at the guild.') })
const token = (account: string) => ({ access: { token: `key-${account}` } })

/** A service that the product does not know: one consent, two accounts to choose from, one location each. */
const guild = defineConnection({
  provider: 'guild',
  label: 'The Guild',
  order: 1,
  account: { one: 'Shop', many: 'Shops' },
  consent: {
    needs: ['GUILD_APP'],
    address: (ctx, { state, challenge, redirectUri }) =>
      `https://guild.example/in?${new URLSearchParams({
        app: settings.of(ctx).GUILD_APP,
        state,
        challenge,
        redirectUri,
      })}`,
    async exchange(_, { code }) {
      if (code === 'bad') throw new ServiceFault('permission', 'The Guild says no', { code: 'no_member' })
      return { userToken: `user-${code}` }
    },
    choice: {
      list: async () => [
        { account_id: 's1', account_name: 'First shop', tokens: token('s1') },
        { account_id: 's2', tokens: token('s2'), caution: 'It is closed.' },
      ],
      declined: async () => ['read_words'],
      permissions: ['read_words'],
      emptyHint: 'Open a shop.',
    },
    about: 'The Guild asks.',
    setup: 'Join the guild.',
    redirectHint: 'Write it on the board.',
    connected: 'The shops are connected.',
    failures: { no_member: { hint: 'Join first.' } },
  },
  locations: async (_, { account_id }) => ({
    locations: [{ id: account_id, profile: { business_name: `Shop ${account_id}` } }],
    elsewhere: 0,
  }),
})
const plugin = definePlugin({ name: 'guild', renown: '^1.0.0', settings, connections: [guild] })

const path = '/app/settings/connections'
let gate: Gate
let ada: Visitor
async function start(given: Record<string, string>) {
  const key = `k1:${randomBytes(32).toString('base64url')}`
  gate = await startGate({ plugins: withCore([plugin]), settings: { SECRETS_KEY: key, ...given } })
  const { cookie } = await signedIn(gate, {})
  const [name = '', value = ''] = cookie.split(';')[0]?.split(/=(.*)/s) ?? []
  ada = createVisitor((asked) => gate.gateway.fetch(asked, () => '203.0.113.7'))
  ada.cookies.set(name, value)
}
beforeEach(() => start({ GUILD_APP: 'app-7' }))
afterEach(() => gate.stop())

/** Asks to connect, and comes back with a code. */
async function back(code: string) {
  await ada.open(path)
  const sent = new URL((await ada.submit(`${path}/guild`)).headers.get('location') ?? '')
  const { app, state = '', redirectUri } = Object.fromEntries(sent.searchParams)
  expect([app, redirectUri]).toEqual(['app-7', `http://localhost:3000${path}/guild/callback`])
  return ada.open(`${path}/guild/callback?${new URLSearchParams({ state, code })}`)
}

test('a provider of a plugin is connected like those in the box', async () => {
  const page = await ada.open(path)
  for (const words of ['Accounts with The Guild through', 'Connect The Guild', 'Write it on the board.'])
    expect(page.text).toContain(words)
  const choice = await back('good')
  for (const words of ['Which Shops?', 'First shop', 'It is closed.', 'read_words'])
    expect(choice.text).toContain(words)
  const home = await ada.submit(`${path}/guild/shops`, { shop: ['s2'] })
  expect(home.text).toContain('The shops are connected.')
  const rows = await gate.owner.rows(Connection).list()
  expect(rows).toMatchObject([{ provider: 'guild', account_id: 's2', state: 'connected' }])
  const locations = await ada.open(`${path}/locations?of=${rows[0]?.id}`)
  expect(locations.text).toContain('Shop s2')
})

test('a failure of its own is explained in its words', async () => {
  const page = await back('bad')
  expect([page.status, page.text.includes('The Guild says no.'), page.text.includes('Join first.')]).toEqual([
    422,
    true,
    true,
  ])
})

test('a setting that is missing is named, and nobody is sent away', async () => {
  await gate.stop()
  await start({})
  const page = await ada.open(path)
  for (const words of ['The Guild is not set up', 'GUILD_APP', 'Join the guild.'])
    expect(page.text).toContain(words)
  expect(page.text).not.toContain(`action="${path}/guild"`)
})

test('an account whose plugin is no longer loaded is shown, and its token is not called broken', async () => {
  const { workspaceId: workspace_id } = gate.tenant
  const row = { workspace_id, provider: 'gone', account_id: 'g1', state: 'connected' } as const
  const { id } = await gate.owner.rows(Connection).insert(row)
  const page = await ada.open(path)
  expect(page.text).toContain('g1')
  const { documents, clock, owner } = gate
  const connections = createConnections({
    documents,
    clock,
    secrets: owner.outbound.secrets,
    ask: owner.outbound.ask,
    notify: async () => {},
    publish: async () => {},
    providers: declaredConnections(owner),
    settings: owner.settings,
  })
  await expect(connections.token(id)).rejects.toMatchObject({ kind: 'unsupported' })
  expect(await gate.owner.rows(Connection).get(id)).toMatchObject({ state: 'connected' })
  const locations = await ada.open(`${path}/locations?of=${id}`)
  expect([locations.status, locations.text.includes('No loaded plugin connects gone')]).toEqual([422, true])
})
