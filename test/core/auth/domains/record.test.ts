import { expect, test } from 'bun:test'
import { lookFor, recordOf } from '../../../../core/auth/domains/record'
import { ServiceFault } from '../../../../core/contracts/service-fault'

const domain = { domain: 'reviews.example', token: 'abc' }
const look = (txt: () => Promise<string[]>) => lookFor(domain, { txt })
const value = 'renown-verification=abc'

test('the record stands below the domain and carries its token', () => {
  expect(recordOf(domain)).toEqual({ type: 'TXT', name: '_renown.reviews.example', value })
})

test('a record is there beside others, in quotes and with white space, and absent with a reason', async () => {
  const asked: unknown[] = []
  await lookFor(domain, {
    txt: async (name) => {
      asked.push(name)
      return []
    },
  })
  expect(asked).toEqual(['_renown.reviews.example'])
  for (const texts of [[value], ['x', value], [`"${value}"`], [` ${value} `], [' "x" ', ` "${value}" `]])
    expect([texts, await look(async () => texts)]).toEqual([texts, { was: 'there' }])
  expect(await look(async () => [])).toEqual({
    was: 'absent',
    reason: 'There is no TXT record at _renown.reviews.example.',
  })
  expect(await look(async () => ['x'])).toEqual({
    was: 'absent',
    reason: 'The TXT records of _renown.reviews.example lack the value.',
  })
  expect(await look(async () => ['x', `${value}x`])).toEqual({
    was: 'absent',
    reason: 'The TXT record of _renown.reviews.example has another value.',
  })
  expect((await look(async () => [`x${value}`])).reason).toContain('lack the value')
})

test('a DNS that cannot be asked says nothing about the domain; every other fault stays what it is', async () => {
  const fault = new ServiceFault('transient', 'away')
  expect(await look(() => Promise.reject(fault))).toEqual({
    was: 'unknown',
    reason: 'The DNS lookup failed. Try again later.',
  })
  const other = new Error('other')
  expect(await look(() => Promise.reject(other)).catch((error) => error)).toBe(other)
})
