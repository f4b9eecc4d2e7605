import { afterEach, beforeEach, expect, test } from 'bun:test'
import { Workspace } from '../../../../core/product/tenancy-plugin'
import { getVisibilityCountries } from '../../../../plugins/visibility/operations/getVisibilityCountries'
import { countryCodes, countryName } from '../../../../plugins/visibility/records/countries'
import type { engines } from '../../../../plugins/visibility/records/engines'
import { type VisibilityBench, visibilityBench } from '../support/bench'

type Engine = (typeof engines)[number]
let held: VisibilityBench
beforeEach(async () => {
  held = await visibilityBench()
})
afterEach(() => held.bench.stop())

test('the codes are the 249 of ISO 3166-1, in order, each with a name', () => {
  expect(countryCodes).toHaveLength(249)
  expect([...new Set(countryCodes)].sort()).toEqual(countryCodes)
  expect(countryCodes.filter((code) => countryName(code) === code)).toEqual([])
})

test('they are what the machine knows as regions, but for the codes that ISO has not assigned', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const known = letters
    .flatMap((a) => letters.map((b) => a + b))
    .filter((code) => names.of(code) !== undefined)
  expect(known.filter((code) => countryCodes.includes(code))).toEqual(countryCodes)
  // Reserved, withdrawn or made for private use: no country of today has one.
  for (const code of ['EU', 'UK', 'XK', 'SU', 'YU', 'AN', 'AC']) expect(countryCodes).not.toContain(code)
})

const germany = {
  code: 'DE',
  name: 'Germany',
  engines: [
    'chatgpt',
    'claude',
    'gemini',
    'perplexity',
    'google_ai_overview',
    'google_ai_mode',
  ] satisfies Engine[],
}
const listed = async (input: object = {}) =>
  (await held.ask(getVisibilityCountries, { ...input })).countries.map(({ code }) => code)

test('lists every country by name unless fewer are asked for', async () => {
  expect(await listed()).toHaveLength(249)
  expect(await listed()).toEqual(await listed({ all: true }))
  const { countries } = await held.ask(getVisibilityCountries)
  expect(countries.find(({ code }) => code === 'DE')).toEqual(germany)
  expect(countries[0]?.name).toBe('Afghanistan')
})

test('with all: false lists the countries that are asked from and the default', async () => {
  expect(await listed({ all: false })).toEqual(['US'])
  await held.prompt('vpr_1', { country: 'DE' })
  await held.tracker({ id: 'vtr_2', countries: ['ES', 'DE'] })
  const answer = await held.ask(getVisibilityCountries, { all: false })
  expect(answer.countries.map(({ code }) => code)).toEqual(['DE', 'ES', 'US'])
  expect(answer.countries[0]).toEqual(germany)
  expect(answer.tracked.toSorted()).toEqual(['DE', 'ES'])
  expect([answer.total, answer.codes.split(' ')]).toEqual([249, countryCodes])
})

test('an agent gets the countries that are asked from, and is told what was left out', async () => {
  await held.prompt('vpr_1', { country: 'DE' })
  await held.tracker({ id: 'vtr_2', countries: ['ES', 'DE'] })
  const whole = await held.ask(getVisibilityCountries)
  const short = getVisibilityCountries.shorten?.(whole, {})
  const { countries } = (short?.answer ?? whole) as typeof whole
  expect(countries.map(({ code }) => code)).toEqual(['DE', 'ES', 'US'])
  expect(short?.left).toContain('left out')
  // Four characters are about a token.
  expect(JSON.stringify(short).length / 4).toBeLessThan(550)
  for (const input of [{ all: true }, { all: false }, { search: 'de' }])
    expect(getVisibilityCountries.shorten?.(whole, input)).toBeNull()
})

test('finds a country by its code or a part of its name, without regard to case and accents', async () => {
  expect(await listed({ search: 'de' })).toContain('DE')
  expect((await listed({ search: 'DE' }))[0]).toBe('DE')
  expect(await listed({ search: 'united' })).toEqual(['AE', 'GB', 'US'])
  expect(await listed({ search: 'cote' })).toEqual(['CI'])
  expect(await listed({ search: 'atlantis' })).toEqual([])
  expect((await listed({ search: 'a' })).length).toBe(20)
  await expect(listed({ search: ' ' })).rejects.toThrow()
})

test.each([
  ['en-GB', 'GB'],
  ['es', 'ES'],
  ['pt-BR', 'BR'],
  ['ar', 'EG'],
  ['en-001', 'US'],
  ['not a tag', 'US'],
])('the default of a workspace in %s is %s', async (locale, country) => {
  const { workspace_id = '' } = await held.bench.command('agency create', { name: 'Acme' })
  await held.bench
    .collection(Workspace)
    .updateOne({ op: 'eq', field: 'id', value: workspace_id }, { set: { locale, agency_id: 'agc_1' } })
  expect((await held.ask(getVisibilityCountries, {}, { workspace: workspace_id })).default).toBe(country)
})
