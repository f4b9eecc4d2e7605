import { describe, expect, test } from 'bun:test'
import { hashed, identityOf, isSameBusiness } from '../../../plugins/billing/business'
import { platformIdsInTheBox } from '../../support/platforms'

const ctx = { extensions: () => platformIdsInTheBox } as unknown as Parameters<typeof identityOf>[0]
type Told = Parameters<typeof identityOf>[1]
const cases: readonly (readonly [what: string, one: Told, other: Told, same: boolean])[] = [
  ['one place', { google_place_id: 'a' }, { google_place_id: 'a', website: 'https://x.example' }, true],
  ['another place', { google_place_id: 'a' }, { google_place_id: 'b' }, false],
  [
    'branches of a chain, which share a website',
    { google_place_id: 'a', website: 'https://chain.example/1' },
    { google_place_id: 'b', website: 'https://chain.example/2' },
    false,
  ],
  [
    'one of two ids',
    { google_place_id: 'a', google_location_id: 'locations/1' },
    { google_place_id: 'b', google_location_id: 'accounts/9/locations/1' },
    true,
  ],
  ['one Page', { facebook_page_id: '7' }, { facebook_page_id: '7' }, true],
  [
    'a Page and a listing of one website',
    { facebook_page_id: '7', website: 'https://a.example' },
    { google_place_id: 'a', website: 'http://www.A.example/about?x=1' },
    true,
  ],
  ['one website', { website: 'https://a.example' }, { website: 'https://www.a.example./' }, true],
  [
    'another name below one domain',
    { website: 'https://a.shop.co.uk' },
    { website: 'https://b.shop.co.uk' },
    true,
  ],
  [
    'names below a domain that is shared out',
    { website: 'https://a.github.io' },
    { website: 'https://b.github.io' },
    false,
  ],
  [
    'shops of one market',
    { website: 'https://www.etsy.com/shop/corner' },
    { website: 'https://www.etsy.com/shop/other' },
    false,
  ],
  ['another website', { website: 'https://a.example' }, { website: 'https://b.example' }, false],
  [
    'profiles of one host',
    { website: 'https://www.facebook.com/corner-bakery' },
    { website: 'https://www.facebook.com/taller-rios' },
    false,
  ],
  [
    'one profile of a host',
    { website: 'https://www.facebook.com/Corner-Bakery/' },
    { website: 'https://facebook.com/corner-bakery' },
    true,
  ],
  ['one name', { business_name: 'Café  Ñ' }, { business_name: 'CAFÉ-ñ!' }, true],
  [
    'one name, once with a website',
    { business_name: 'Acme' },
    { business_name: 'Acme', website: 'https://a.example' },
    true,
  ],
  [
    'one name in two cities',
    { business_name: 'Acme', city: 'Leeds' },
    { business_name: 'Acme', city: 'York' },
    false,
  ],
  [
    'one name, with websites of their own',
    { business_name: 'Acme', website: 'https://a.example' },
    { business_name: 'Acme', website: 'https://b.example' },
    false,
  ],
  ['names without a letter', { business_name: '!!!' }, { business_name: '???' }, false],
]

describe.each(cases)('%s', (_, one, other, same) => {
  test(same ? 'is one business' : 'are two', async () => {
    expect(isSameBusiness(identityOf(ctx, one), identityOf(ctx, other))).toBe(same)
    expect(isSameBusiness(identityOf(ctx, other), identityOf(ctx, one))).toBe(same)
    expect(isSameBusiness(hashed(identityOf(ctx, one)), hashed(identityOf(ctx, other)))).toBe(same)
  })
})

test('what is kept says nothing of the business, and tells its kinds apart', async () => {
  const kept = hashed({ google_place_id: 'acme', name: 'acme' })
  expect(JSON.stringify(kept)).not.toContain('acme')
  expect(kept.google_place_id).not.toBe(kept.name)
})
