import { expect, test } from 'bun:test'
import { countryNumber } from '../../../plugins/dataforseo/country-numbers'
import table from '../../../plugins/dataforseo/country-numbers.json'
import examples from './examples/countries.json'

test('a country has one number, by its two letters or its English name', () => {
  for (const [country, number] of Object.entries(examples))
    expect([country, countryNumber(country) ?? null]).toEqual([country, number])
})

test('each row of the table is a country and a number of its own', () => {
  const numbers = Object.values(table)
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.every((number) => Number.isInteger(number) && number > 0 && number < 1_000)).toBe(true)
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  expect(Object.keys(table).filter((code) => names.of(code) === undefined)).toEqual([])
})
