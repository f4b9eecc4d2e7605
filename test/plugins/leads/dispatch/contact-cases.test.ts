import { describe, expect, test } from 'bun:test'
import type { BusinessFacts } from '../../../../plugins/leads/dispatch/business-details'
import { readContacts } from '../../../../plugins/leads/dispatch/contacts'
import data from './contact-cases.json'

interface Case {
  readonly country: string
  readonly text: string
  readonly expected: Readonly<Record<string, string | undefined>>
  readonly business?: BusinessFacts
}
const cases: readonly Case[] = data.cases

const read = async (text: string, business: BusinessFacts) => {
  const found = await readContacts({ body: text }, business)
  return Object.fromEntries(found.map(({ field, value }) => [field, value]))
}

describe('only what authors state about themselves is read', () => {
  test.each(cases.map((one) => [one.country, one.text, one] as const))(
    '%s: %s',
    async (country, text, { expected, business = {} }) => {
      expect<typeof expected>(await read(text, { ...business, country })).toEqual(expected)
    },
  )
})

test('the positions of a number stay those of the text, also with a postcode behind it', async () => {
  for (const text of ['Tel. 030 901820, 10115 Berlin', 'Tel. 030 901820 10115 Berlin']) {
    const [phone] = await readContacts({ body: text }, { country: 'DE' })
    expect(text.slice(phone?.start, phone?.end)).toBe('030 901820')
  }
})

test("the number of the business is never a lead's, however it is written", async () => {
  const ways = [
    '0113 496 0000',
    '+44 113 496 0000',
    '+44 (0) 113 4960000',
    '0044 113 496 0000',
    '(0113) 496-0000',
  ]
  for (const phone of ways)
    for (const text of ways) expect(await read(`My number is ${text}`, { country: 'GB', phone })).toEqual({})
})
