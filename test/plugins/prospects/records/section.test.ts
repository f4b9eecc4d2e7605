import { expect, test } from 'bun:test'
import { shownUrl } from '../../../../plugins/prospects/records/section'

test.each([
  ['https://acme.example:8443/a/b?visitor=203.0.113.9#c', 'https://acme.example:8443/a/b'],
  ['http://203.0.113.9/a', 'http://(an IP address)/a'],
  ['http://0xcb.0.0x7109:81/a', 'http://(an IP address)/a'],
  ['http://[2001:4860::8888]:81/a', 'http://(an IP address)/a'],
  ['https://203.0.113.9.nip.example/', 'https://203.0.113.9.nip.example/'],
])('of the address %s is shown %s', (address, shown) => {
  expect(shownUrl(new URL(address))).toBe(shown)
})
