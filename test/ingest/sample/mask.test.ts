import { expect, test } from 'bun:test'
import { maskAddresses } from '../../../ingest/sample/mask'

test('every address in a text is replaced by one of documentation', () => {
  const cases: [string, string][] = [
    ['{"ip":"20.171.206.17","at":"12:00:00"}', '{"ip":"192.0.2.1","at":"12:00:00"}'],
    ['20.171.206.17:4433, [2a01::7]:80 and 8.8.8.8.', '192.0.2.1:4433, [2001:db8::1]:80 and 192.0.2.1.'],
    ['client:2a01:4f8::7 peer=/20.171.206.17', 'client:2001:db8::1 peer=/192.0.2.1'],
    ['::ffff:20.171.206.17', '2001:db8::1'],
    ['http://20.171.206.17/a Chrome/142.0.0.0', 'http://192.0.2.1/a Chrome/192.0.2.1'],
    ['2026-11-20T12:00:00.123Z GPTBot/1.2 /a.b.c', '2026-11-20T12:00:00.123Z GPTBot/1.2 /a.b.c'],
  ]
  for (const [text, masked] of cases) expect(maskAddresses(text)).toBe(masked)
})
