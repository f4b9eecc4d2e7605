import { expect, test } from 'bun:test'
import { type ConnectionDeclaration, defineConnection } from '../../../core/contracts/connection'
import { withCore } from '../../../core/product/core-plugins'
import { createRegistry } from '../../../core/registry/registry'

const yelp = defineConnection({
  provider: 'yelp',
  label: 'Yelp',
  order: 5,
  account: { one: 'Business', many: 'Businesses' },
  tokenFile: { kind: 'access', called: 'an API key', accountId: 'its number' },
  locations: async () => ({ locations: [], elsewhere: 0 }),
})
const consent = {
  needs: ['RENOWN_URL'],
  address: () => '',
  exchange: async () => ({ accounts: [] }),
  about: 'Asks.',
  setup: 'Register.',
  redirectHint: 'There.',
  connected: 'Done.',
}
const plugin = (name: string, ...connections: readonly unknown[]) => ({
  name,
  renown: '^1.0.0',
  connections: connections as readonly ConnectionDeclaration[],
})
const registryOf = (...plugins: readonly ReturnType<typeof plugin>[]) => createRegistry(withCore(plugins))

test('providers are listed in their order', () => {
  const last = { ...yelp, provider: 'trade-guild', order: 9 }
  const { providers } = registryOf(plugin('yelp', last, { ...yelp, consent }))
  expect([...providers.keys()]).toEqual(['yelp', 'trade-guild'])
})

test('a provider is declared once', () => {
  expect(() => registryOf(plugin('yelp', yelp), plugin('other', yelp))).toThrow(
    'both yelp and other declare the connection yelp',
  )
})

test.each([
  [{ provider: 'Yelp Inc' }, 'connection name "Yelp Inc" is not kebab-case'],
  [{ provider: undefined }, 'has no provider: it is a text'],
  [{ locations: 'none' }, 'connection yelp: locations is not a function'],
  [{ accounts: {} }, 'connection yelp: accounts is not a key of its declaration; did you mean account?'],
  [{ account: { one: 'Page 1', many: 'Pages' } }, 'connection yelp: account.one: letters only'],
  [{ tokenFile: { kind: 'cookie' } }, 'connection yelp: tokenFile.kind'],
  [{ tokenFile: { ...yelp.tokenFile, kind: 'refresh' } }, 'has a refresh token but no renew function'],
  [{ tokenFile: undefined }, 'declare consent or tokenFile'],
  [{ consent: { ...consent, about: '' } }, 'connection yelp: consent.about'],
  [{ consent: { ...consent, adress: '' } }, 'connection yelp: consent.adress'],
  [
    { consent: { ...consent, needs: ['YELP_ID'] } },
    'needs setting YELP_ID, which the plugin does not declare',
  ],
  [{ addedVia: 'post' }, 'connection yelp: addedVia'],
])('a declaration with %p is refused', (wrong, said) => {
  expect(() => registryOf(plugin('yelp', { ...yelp, ...wrong }))).toThrow(said)
})
