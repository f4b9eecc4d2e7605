import { expect, test } from 'bun:test'
import type { ReadContext } from '../../../../core/contracts/context'
import { where } from '../../../../core/contracts/where'
import { daysWhere, refuseTooMany, siteWhere, todayOf } from '../../../../plugins/traffic/records/days'

const at = (instant: string, timezone = 'Europe/Berlin') =>
  ({ now: () => new Date(instant), workspace: { timezone } }) as unknown as ReadContext
const inZones = (...zones: string[]) => zones.map((timezone) => ({ timezone })) as never

test('today is the date of the earliest and of the latest zone', () => {
  const noon = at('2026-11-20T11:30:00.000Z')
  const zones = inZones('Pacific/Kiritimati', 'America/New_York', 'Pacific/Pago_Pago')
  expect(todayOf(noon, zones)).toEqual({ latest: '2026-11-21', earliest: '2026-11-20' })
  expect(todayOf(at('2026-11-20T10:30:00.000Z'), zones)).toEqual({
    latest: '2026-11-21',
    earliest: '2026-11-19',
  })
  expect(todayOf(noon, inZones('Asia/Tokyo'))).toEqual({ latest: '2026-11-20', earliest: '2026-11-20' })
})

test('without a site, today is the date in the zone of the workspace', () => {
  const late = '2026-11-20T23:30:00.000Z'
  expect(todayOf(at(late), [])).toEqual({ latest: '2026-11-21', earliest: '2026-11-21' })
  expect(todayOf(at(late, 'UTC'), [])).toEqual({ latest: '2026-11-20', earliest: '2026-11-20' })
})

test('a condition names the sites that were asked for, and nothing else', () => {
  expect(siteWhere({})).toEqual(where.and())
  expect(siteWhere({ site_id: 'a' })).toEqual(where.and(where.eq('site_id', 'a')))
  expect(siteWhere({ site_ids: ['a', 'b'] })).toEqual(where.and(where.in('site_id', ['a', 'b'])))
  expect(siteWhere({ location_id: 'l' })).toEqual(where.and(where.eq('location_id', 'l')))
  expect(daysWhere({ site_id: 'a' }, { date_from: '2026-11-01', date_to: '2026-11-20' })).toEqual(
    where.and(
      where.gte('date', '2026-11-01'),
      where.lte('date', '2026-11-20'),
      where.and(where.eq('site_id', 'a')),
    ),
  )
})

test('50,000 site-days are read, and one more is refused', () => {
  expect(() => refuseTooMany(50_000)).not.toThrow()
  let refusal: unknown
  try {
    refuseTooMany(50_001)
  } catch (error) {
    refusal = error
  }
  expect(refusal).toMatchObject({
    code: 'invalid_field',
    details: { errors: [{ pointer: '/site_id', code: 'required' }] },
  })
})
