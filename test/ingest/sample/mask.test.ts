import { expect, test } from 'bun:test'
import { fieldsOf } from '../../../ingest/sample/fields'
import { maskAddresses } from '../../../ingest/sample/mask'

test('every address in a text is replaced by one of documentation', () => {
  const cases: [string, string][] = [
    ['{"ip":"20.171.206.17","at":"12:00:00"}', '{"ip":"192.0.2.1","at":"12:00:00"}'],
    ['20.171.206.17:4433, [2a01::7]:80 and 8.8.8.8.', '192.0.2.1:4433, [2001:db8::1]:80 and 192.0.2.1.'],
    ['client:2a01:4f8::7 peer=/20.171.206.17', 'client:2001:db8::1 peer=/192.0.2.1'],
    ['from 2a01:4f8::7. 2a01:4f8::7#53 2a01:4f8::7%eth0', 'from 2001:db8::1. 2001:db8::1#53 2001:db8::1'],
    ['2a01:4f8::7#2a01:4f8::9', '2001:db8::1#2001:db8::1'],
    ['peer-2a01:4f8::7 Rails::Cafe 12:30:45', 'peer-2001:db8::1 Rails::Cafe 12:30:45'],
    ['::ffff:20.171.206.17', '2001:db8::1'],
    ['http://20.171.206.17/a Chrome/142.0.0.0', 'http://192.0.2.1/a Chrome/192.0.2.1'],
    ['2026-11-20T12:00:00.123Z GPTBot/1.2 /a.b.c', '2026-11-20T12:00:00.123Z GPTBot/1.2 /a.b.c'],
    ['2001:db8:1111:2222:3333:4444:5555:6666:x', '2001:db8::1:x'],
    ['2a01:4f80:1111:2222:3333:4444:5555:6666:x', '2001:db8::1:x'],
    ['::FFFF:20.171.206.17#x to abc:1:2a01::7:', '2001:db8::1#x to 2001:db8::1:'],
    ['name:a:b 2A01:4F8::7,2a01::ab/64', 'name:a:b 2001:db8::1,2001:db8::1/64'],
    ['a1:2a01:4f8::7.x g2a01:4f8::7', '2001:db8::1.x g2a01:2001:db8::1'],
    ['1.2.3 1.2.3.4.5 1234.1.2.3 1.2.3.4567', '1.2.3 192.0.2.1.5 1192.0.2.1 192.0.2.17'],
    ['a:: a:b', '2001:db8::1 a:b'],
  ]
  for (const [text, masked] of cases) expect(maskAddresses(text)).toBe(masked)
})

test('a word of colons is read once', () => {
  const before = process.cpuUsage().user
  for (const part of [':', '::x', 'a:', 'fffff']) maskAddresses(`:${part.repeat(65_000 / part.length)}::`)
  expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(2_000)
})

test('no name with an address in it is offered as a field', () => {
  const names = ['20.171.206.17', '20.171.206.17:443', 'from 20.171.206.17', '2a01:4f8::7', 'a:2a01:4f8::7.']
  const record = Object.fromEntries(names.map((name) => [name, { path: '/a' }]))
  const list = names.map((name) => ({ name, value: '/a' }))
  expect([...fieldsOf([{ ...record, list, path: '/a' }]).keys()]).toEqual(['path'])
})
