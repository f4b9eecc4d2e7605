import { expect, test } from 'bun:test'
import { type ListNamed, rowsNamed } from '../../../core/contexts/named-rows'
import { BusinessLocation } from '../../../core/tenancy/BusinessLocation'

/** Lists as many rows as are asked for, of many whose names contain the text. */
const holding =
  (count: number, exactAt: number): ListNamed =>
  async ({ limit = count }) =>
    Array.from({ length: Math.min(limit, count) }, (_, at) => ({
      id: `loc_${at}`,
      business_name: at === exactAt ? 'Bakery' : `Bakery ${at}`,
    }))

test.each([0, 49, 50, 998])('a name is found among 999 that contain it, also as number %i', async (at) => {
  const found = await rowsNamed(holding(999, at), BusinessLocation, 'bakery')
  expect(found.map(({ id }) => id)).toEqual([`loc_${at}`])
})

test('among more names than are compared, a name is never said to be missing', async () => {
  const asked = rowsNamed(holding(5_000, 4_000), BusinessLocation, 'bakery')
  expect(await asked.catch((error) => error.code)).toBe('filter_too_broad')
})
