import { expect, test } from 'bun:test'
import { fetchRefusal } from '../../../core/kit/fetch-refusal'

test.each([
  'http://127.0.0.1/feed',
  'http://2130706433/feed',
  'http://0x7f.1/feed',
  'https://[::1]/feed',
  'https://[::ffff:10.0.0.1]/feed',
  'http://169.254.169.254/latest/meta-data',
  'http://192.168.1.10/rss',
  'http://localhost/feed',
  'http://LOCALHOST./feed',
  'http://app.localhost/feed',
  'http://intranet/feed',
  'http://printer.local/feed',
  'http://metadata.google.internal/',
])('refuses an address inside a network: %s', (address) => {
  expect(fetchRefusal(address)).toBe('it is not on the public internet')
})

test('refuses other ports and other schemes', () => {
  expect(fetchRefusal('https://example.com:8080/feed')).toBe('it names a port other than 80 and 443')
  expect(fetchRefusal('ftp://example.com/feed')).toBe('it is not a web address')
})

test.each([
  'https://example.com/feed',
  'http://93.184.216.34/feed',
  'https://example.com:443/',
  'https://localhost.example.com/',
])('accepts %s', (address) => {
  expect(fetchRefusal(address)).toBeNull()
})
