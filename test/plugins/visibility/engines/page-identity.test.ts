import { expect, test } from 'bun:test'
import { cleanAddress, countedAddress } from '../../../../plugins/visibility/engines/page-identity'

test('one page is counted once, however it is cited', () => {
  const told = [
    'https://acme.example/prices',
    'http://acme.example/prices',
    'https://www.acme.example/prices',
    'https://acme.example/prices/',
    'https://acme.example/prices#:~:text=From%20ten',
    'https://acme.example/prices?utm_medium=chat&srsltid=abc',
  ]
  expect(new Set(told.map(countedAddress))).toEqual(new Set(['https://acme.example/prices']))
})

test('other pages stay apart', () => {
  const told = [
    'https://a.example/x?id=1',
    'https://a.example/x?id=2',
    'https://a.example/#/x',
    'https://a.example/',
  ]
  expect(new Set(told.map(countedAddress)).size).toBe(4)
})

test('the stored address still leads to the page', () => {
  expect(cleanAddress('http://www.acme.example/a/?utm_source=x&id=1#part')).toBe(
    'http://www.acme.example/a/?id=1',
  )
})
