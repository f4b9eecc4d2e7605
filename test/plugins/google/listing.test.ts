import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { keepConnection } from '../../../core/connections/keep-connection'
import { Connection } from '../../../core/outbound/Connection'
import { googleAccounts } from '../../../plugins/google/accounts'
import { askGoogleAs } from '../../../plugins/google/ask'
import { googleLocations } from '../../../plugins/google/locations'
import { type Gate, startGate } from '../../support/harness'
import { jobs, platformPlugins } from '../../support/platforms'
import { type ListFault, refreshToken } from '../../support/stand-ins/google-profiles'
import { type Services, startServices } from '../../support/stand-ins/services'

let services: Services
let gate: Gate
beforeEach(async () => {
  services = startServices()
  gate = await startGate({ plugins: [jobs, ...platformPlugins], reaches: true, settings: services.settings })
})
afterEach(async () => {
  await gate.stop()
  await services.stop()
})

async function connected(account_id = 'accounts/111', account_type?: string) {
  const account = { workspace_id: gate.tenant.workspaceId, provider: 'google' as const, account_id }
  const tokens = { refresh: refreshToken }
  return (await keepConnection(gate.owner, { ...account, account_type, tokens })).connection
}
const listed = async (account?: string, type?: string) =>
  googleLocations(gate.owner, await connected(account, type))
const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => ({ name: `locations/${from + n}`, title: `Shop ${from + n}` }))

const whole = {
  name: 'locations/222',
  title: 'Acme Plumbing',
  websiteUri: 'https://acme.example',
  phoneNumbers: { primaryPhone: '+44 113 000' },
  categories: { primaryCategory: { name: 'categories/gcid:plumber', displayName: 'Plumber' } },
  storefrontAddress: {
    regionCode: 'GB',
    postalCode: 'LS1',
    administrativeArea: '',
    locality: 'Leeds',
    addressLines: ['1 High St', 'Unit 2'],
  },
  latlng: { latitude: 53.79, longitude: -1.54 },
  openInfo: { status: 'OPEN' },
  metadata: {
    placeId: 'ChIJx',
    mapsUri: 'https://maps.google.com/?cid=1',
    hasVoiceOfMerchant: true,
    newReviewUri: 'https://search.google.com/local/writereview?placeid=ChIJx',
  },
}

describe('accounts', () => {
  test('are listed to the end of all pages, the size of a page said', async () => {
    services.profiles.accounts.splice(0)
    for (let n = 0; n < 45; n++)
      services.profiles.accounts.push({ name: `accounts/${n}`, type: 'ORGANIZATION' })
    const { id } = await connected()
    const found = await googleAccounts(gate.owner, (asked) => askGoogleAs(gate.owner, id, asked))
    expect(found).toHaveLength(45)
    expect(services.asked.filter((path) => path.includes('/v1/accounts?'))).toHaveLength(3)
    expect(services.profiles.complaints).toEqual([])
  })

  test.each([
    [{ kind: 'loop' }, { kind: 'transient', code: 'looped' }],
    [{ kind: 'odd' }, { kind: 'transient' }],
    [{ kind: 'html' }, { kind: 'transient' }],
    [{ kind: 'status', status: 403, word: 'PERMISSION_DENIED' }, { kind: 'permission' }],
    [
      { kind: 'status', status: 429, word: 'RESOURCE_EXHAUSTED', retryAfter: '7' },
      { kind: 'rate', retryAfterMs: 7_000 },
    ],
    [{ kind: 'status', status: 503 }, { kind: 'transient' }],
  ] as const)('%j is a fault, and never a shorter list', async (fault, expected) => {
    services.profiles.accounts.push(...Array.from({ length: 30 }, (_, n) => ({ name: `accounts/${n}` })))
    services.profiles.faults.accounts.push(null, fault as ListFault, fault as ListFault)
    const { id } = await connected()
    const asking = googleAccounts(gate.owner, (asked) => askGoogleAs(gate.owner, id, asked))
    await expect(asking).rejects.toMatchObject(expected)
  })
})

describe('locations', () => {
  test('come with both their ids and what their listing says', async () => {
    services.profiles.locations.set('accounts/111', [whole])
    const { locations, elsewhere } = await listed()
    expect(elsewhere).toBe(0)
    expect(locations).toEqual([
      {
        id: 'locations/222',
        place: '1 High St, Leeds, GB',
        caution: undefined,
        profile: {
          business_name: 'Acme Plumbing',
          business_category: 'Plumber',
          phone: '+44 113 000',
          google_account_id: 'accounts/111',
          google_location_id: 'locations/222',
          google_place_id: 'ChIJx',
          address_line1: '1 High St',
          address_line2: 'Unit 2',
          city: 'Leeds',
          postal_code: 'LS1',
          country: 'GB',
          latitude: 53.79,
          longitude: -1.54,
          website: 'https://acme.example/',
          google_maps_url: 'https://maps.google.com/?cid=1',
          review_link: 'https://search.google.com/local/writereview?placeid=ChIJx',
          is_verified: true,
        },
      },
    ])
    expect(services.profiles.complaints).toEqual([])
  })

  test('are listed to the end of all pages', async () => {
    services.profiles.locations.set('accounts/111', many(250))
    expect((await listed()).locations).toHaveLength(250)
  })

  test('of an account without any are none', async () => {
    services.profiles.locations.set('accounts/111', [])
    expect(await listed()).toEqual({ locations: [], elsewhere: 0 })
  })

  test('that Google does not take the account for the voice of say so', async () => {
    const metadata = { hasVoiceOfMerchant: false }
    services.profiles.locations.set('accounts/111', [{ name: 'locations/1', title: 'Old', metadata }])
    const [one] = (await listed()).locations
    expect(one?.caution).toContain('cannot read or answer its reviews')
    expect(one?.profile.is_verified).toBe(false)
  })

  test('named as of another account are refused, as of their own are not', async () => {
    services.profiles.locations.set('accounts/111', [
      { name: 'accounts/333/locations/1', title: 'Theirs' },
      { name: 'accounts/111/locations/2', title: 'Ours' },
    ])
    const [theirs, ours] = (await listed()).locations
    expect(theirs?.refused).toContain('belongs to accounts/333')
    expect([ours?.refused, ours?.id]).toEqual([undefined, 'locations/2'])
  })

  test("of a person's own account are theirs alone; those of groups are counted and not taken for theirs", async () => {
    services.profiles.locations.set('accounts/111', many(2))
    services.profiles.locations.set('accounts/900', many(150, 1_000))
    const { locations, elsewhere } = await listed('accounts/111', 'PERSONAL')
    expect([locations.length, elsewhere]).toEqual([2, 150])
    expect((await listed('accounts/900', 'LOCATION_GROUP')).elsewhere).toBe(0)
  })

  test('with hostile words are one line of text, and their addresses are none that a script runs from', async () => {
    services.profiles.locations.set('accounts/111', [
      {
        name: 'locations/1',
        title: ' \u202E<script>\n alert(1)</script>\u0000 ',
        websiteUri: 'javascript:alert(1)',
        metadata: { mapsUri: 'data:text/html,x', newReviewUri: 'https://user:pw@evil.example' },
        latlng: { latitude: 900, longitude: 1 },
      },
    ])
    const [one] = (await listed()).locations
    expect(one?.profile).toEqual({
      business_name: '<script> alert(1)</script>',
      google_account_id: 'accounts/111',
      google_location_id: 'locations/1',
      longitude: 1,
    })
  })

  test.each([
    [{ kind: 'loop' }, { code: 'looped' }],
    [{ kind: 'odd' }, { kind: 'transient' }],
    [{ kind: 'html' }, { kind: 'transient' }],
    [{ kind: 'status', status: 403 }, { kind: 'permission' }],
    [{ kind: 'status', status: 404, word: 'NOT_FOUND' }, { kind: 'permanent' }],
    [
      { kind: 'status', status: 404 },
      { kind: 'transient', code: 'unreadable' },
    ],
    [{ kind: 'status', status: 429 }, { kind: 'rate' }],
    [{ kind: 'status', status: 500 }, { kind: 'transient' }],
  ] as const)('%j on a later page is a fault, and never a shorter list', async (fault, expected) => {
    services.profiles.locations.set('accounts/111', many(250))
    services.profiles.faults.locations.push(null, fault as ListFault, fault as ListFault)
    await expect(listed()).rejects.toMatchObject(expected)
  })

  test('are asked for with a new token where the one of before is refused, once', async () => {
    services.profiles.locations.set('accounts/111', [whole])
    const connection = await connected()
    await googleLocations(gate.owner, connection)
    services.google.tokens.clear()
    expect((await googleLocations(gate.owner, connection)).locations).toHaveLength(1)
    const unauthenticated = { kind: 'status', status: 401 } as const
    services.profiles.faults.locations.push(unauthenticated, unauthenticated)
    await expect(googleLocations(gate.owner, connection)).rejects.toMatchObject({ kind: 'auth' })
    expect((await gate.owner.rows(Connection).get(connection.id))?.state).toBe('connected')
  })
})
