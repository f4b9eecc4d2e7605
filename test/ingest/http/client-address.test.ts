import { expect, test } from 'bun:test'
import { createClientAddress } from '../../../ingest/http/client-address'

test('X-Forwarded-For is believed as far as trusted proxies wrote it, from the right', () => {
  const client = createClientAddress(['10.0.0.0/8', '2001:db8::/32', '127.0.0.1'])
  const told: [string | null, string | null, string | null][] = [
    ['203.0.113.9', '1.1.1.1', '203.0.113.9'],
    ['10.0.0.1', null, '10.0.0.1'],
    ['10.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['::ffff:10.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['10.0.0.1', '6.6.6.6, 1.1.1.1, 10.2.3.4', '1.1.1.1'],
    ['2001:db8::1', '6.6.6.6,2001:db8::2', '6.6.6.6'],
    ['10.0.0.1', '10.9.9.9, 10.8.8.8', '10.9.9.9'],
    ['10.0.0.1', '6.6.6.6, unknown, 10.8.8.8', '10.8.8.8'],
    [null, '6.6.6.6', null],
    ['unix', '6.6.6.6', 'unix'],
  ]
  for (const [peer, forwarded, expected] of told) expect(client(peer, forwarded)).toBe(expected)
  expect(createClientAddress([])('10.0.0.1', '6.6.6.6')).toBe('10.0.0.1')
  expect(() => createClientAddress(['10.0.0.0/33'])).toThrow('TRUSTED_PROXIES')
})
