import { expect, test } from 'bun:test'
import { parseParams, readParams } from '../../../../core/auth/oauth/params'

const form = 'application/x-www-form-urlencoded'
const posted = (body: string, type = form) =>
  readParams(new Request('http://x/', { method: 'POST', headers: { 'content-type': type }, body }))
const invalid = (message: string) => ({ name: 'OAuthError', code: 'invalid_request', message })

test('a value is read once, an empty one counts as absent, and its text stays as it was sent', () => {
  const params = parseParams('scope=read+all&state=a%20b%3D&empty=&bare&client_id=%26')
  expect(['scope', 'state', 'empty', 'bare', 'client_id', 'none'].map(params.one)).toEqual([
    'read all',
    'a b=',
    undefined,
    undefined,
    '&',
    undefined,
  ])
  expect(['scope', 'state', 'empty', 'bare', 'client_id', 'none'].map(params.raw)).toEqual([
    'read+all',
    'a%20b%3D',
    '',
    '',
    '%26',
    undefined,
  ])
  expect(parseParams('state=a=b').raw('state')).toBe('a=b')
  expect([parseParams('').one(''), parseParams('').raw('')]).toEqual([undefined, undefined])
  expect(params.duplicate).toBeUndefined()
})

test('only a resource may be sent twice', () => {
  const params = parseParams('resource=a&resource=&resource=b&scope=read')
  expect([params.all('resource'), params.all('none'), params.duplicate]).toEqual([['a', 'b'], [], undefined])
  expect(parseParams('resource=a&scope=read&resource=b&scope=read').duplicate).toBe('scope')
})

test('more than 200 parameters are refused before they are read', () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, n) => `p${n}=1`).join('&')
  expect(parseParams(pairs(200)).one('p199')).toBe('1')
  expect(() => parseParams(pairs(201))).toThrow(
    expect.objectContaining(invalid('A request takes at most 200 parameters')),
  )
})

test('a posted form is read up to 64 KiB, and nothing else is', async () => {
  expect((await posted('code=1', `${form}; charset=UTF-8`)).one('code')).toBe('1')
  expect((await posted(`code=${'x'.repeat(65_536 - 5)}`)).one('code')).toHaveLength(65_531)
  await expect(posted(`code=${'x'.repeat(65_536 - 4)}`)).rejects.toMatchObject({ name: 'Refusal' })
  await expect(posted('{}', 'application/json')).rejects.toMatchObject(
    invalid('Post a form: Content-Type application/x-www-form-urlencoded'),
  )
  await expect(posted('code=1&code=1')).rejects.toMatchObject(invalid('The parameter code was sent twice'))
})
