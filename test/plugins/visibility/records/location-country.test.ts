import { expect, test } from 'bun:test'
import { regionOf } from '../../../../plugins/visibility/records/countries'
import { countryOfLocation } from '../../../../plugins/visibility/records/location-country'

test.each([
  [{ country: 'gb' }, 'GB'],
  [{ country: ' United Kingdom ' }, 'GB'],
  [{ country: 'U.K.' }, 'GB'],
  [{ country: 'USA' }, 'US'],
  [{ country: 'Deutschland' }, 'DE'],
  [{ country: 'Österreich' }, 'AT'],
  [{ country: 'Türkiye' }, 'TR'],
  [{ country: 'Россия' }, 'RU'],
  [{ country: '日本' }, 'JP'],
  [{ website: 'https://www.acme.co.uk/about' }, 'GB'],
  [{ country: '', website: 'praxis-huber.at' }, 'AT'],
  [{ country: 'Fooland', website: 'https://acme.de' }, null],
  [{ website: 'https://acme.com' }, null],
  [{ website: 'https://acme.io' }, null],
  [{}, null],
])('the country of %j is %s', (location, code) => {
  expect(countryOfLocation(location)).toBe(code)
})

test.each([
  ['en-GB', 'GB'],
  ['de-AT', 'AT'],
  ['en', null],
  ['de', null],
  ['es-419', null],
  ['?', null],
  [undefined, null],
])('the language %s names the country %s', (locale, code) => {
  expect(regionOf(locale)).toBe(code)
})
