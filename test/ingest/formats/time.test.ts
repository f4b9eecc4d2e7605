import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { clfInstant, instantOf } from '../../../ingest/formats/time'

const numRuns = process.env.RENOWN_LONG === '1' ? 100_000 : 3_000
const instant = fc.integer({ min: 0, max: Date.UTC(2400, 0, 1) })
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const pad = (value: number, width = 2) => String(value).padStart(width, '0')

test('every moment from 1970 to 2400 is read as the platform writes it', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: -1439, max: 1439 }), (ms, offset) => {
      expect(instantOf(new Date(ms).toISOString())).toBe(ms)
      // The same moment on a clock that is `offset` minutes ahead.
      const local = new Date(ms + offset * 60_000)
      if (local.getTime() < 0) return
      const zone = `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60))}${pad(Math.abs(offset) % 60)}`
      expect(instantOf(local.toISOString().replace('Z', zone))).toBe(ms)
      const text = `${pad(local.getUTCDate())}/${months[local.getUTCMonth()]}/${local.getUTCFullYear()}:${local.toISOString().slice(11, 19)} ${zone}`
      expect(clfInstant(`x${text}`, 1)).toBe(ms - local.getUTCMilliseconds())
    }),
    { numRuns },
  )
})

test('a day that is not on the calendar is no time', () => {
  for (const year of [1970, 1999, 2000, 2023, 2024, 2100, 2400])
    for (let month = 0; month < 14; month++)
      for (let day = 0; day <= 40; day++) {
        const exists =
          new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12
        const read = instantOf(`${year}-${pad(month)}-${pad(day)}T00:00:00Z`)
        expect([year, month, day, read]).toEqual([
          year,
          month,
          day,
          exists ? Date.UTC(year, month - 1, day) : null,
        ])
      }
})

test('text that only begins like a time is none', () => {
  const good = '2026-11-20T16:42:52Z'
  for (let cut = 0; cut < 19; cut++) expect([cut, instantOf(good.slice(0, cut))]).toEqual([cut, null])
  for (const bad of [
    `${good}x`,
    `x${good}`,
    '2026-11-20T16:42:52.Z',
    '2026-11-20T16:42:52+1',
    '2026-11-20T16.42.52Z',
  ])
    expect([bad, instantOf(bad)]).toEqual([bad, null])
})
