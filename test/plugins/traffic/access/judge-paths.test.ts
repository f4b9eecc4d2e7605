import { describe, expect, test } from 'bun:test'
import { copiesOn, judgePaths } from '../../../../plugins/traffic/access/judge-paths'

const closed = 'User-agent: *\nDisallow: /private'
const copy = (rules: string, first: string, last: string) => ({
  rules,
  first_seen_at: `2026-03-${first}:00.000Z`,
  last_seen_at: `2026-03-${last}:00.000Z`,
})
const held = (copies: ReturnType<typeof copy>[], date: string, zone = 'UTC') =>
  copiesOn(copies, date, zone)?.map(({ rules }) => rules) ?? null

describe('the copies of a robots.txt that decide about a day', () => {
  test('start on the day after the first one, and end with the day on which it was last seen', () => {
    const copies = [copy('a', '02T12:00', '05T06:00')]
    expect(held(copies, '2026-03-01')).toBeNull()
    expect(held(copies, '2026-03-02')).toBeNull()
    expect(held(copies, '2026-03-03')).toEqual(['a'])
    expect(held(copies, '2026-03-05')).toEqual(['a'])
    // Nobody knows what the file said after that.
    expect(held(copies, '2026-03-06')).toBeNull()
    expect(held([], '2026-03-03')).toBeNull()
  })

  test('are all that may have held on the day or the day before, because crawlers use a copy for a day', () => {
    const copies = [copy('a', '01T12:00', '05T06:00'), copy('b', '05T12:00', '09T06:00')]
    expect(held(copies, '2026-03-04')).toEqual(['a'])
    expect(held(copies, '2026-03-05')).toEqual(['a', 'b'])
    expect(held(copies, '2026-03-06')).toEqual(['a', 'b'])
    expect(held(copies, '2026-03-07')).toEqual(['b'])
  })

  test('include one that may have been put in place before it was seen', () => {
    // The file was changed at some time between the two checks, so on the 5th or the 6th.
    const copies = [copy('b', '06T01:00', '09T06:00'), copy('a', '01T12:00', '05T20:00')]
    expect(held(copies, '2026-03-05')).toEqual(['a', 'b'])
  })

  test('leave out days in a gap in which the file could not be read', () => {
    const copies = [copy('a', '01T12:00', '05T06:00'), copy('b', '09T12:00', '12T06:00')]
    for (const day of ['06', '07', '08']) expect(held(copies, `2026-03-${day}`)).toBeNull()
    expect(held(copies, '2026-03-09')).toEqual(['a', 'b'])
  })

  test('are those of days in the time zone of the site', () => {
    const copies = [copy('a', '02T20:00', '05T06:00')]
    expect(held(copies, '2026-03-03', 'UTC')).toEqual(['a'])
    // In Tokyo it was seen first on the third.
    expect(held(copies, '2026-03-03', 'Asia/Tokyo')).toBeNull()
  })
})

describe('the paths of a day', () => {
  const path = (name: string, n: number, agent = 'GPTBot') => ({ agent, path: name, n, verified: 1 })
  const rules = (text: string) => copy(text, '01T00:00', '09T00:00')

  test('are disallowed only if every copy disallows them', () => {
    const paths = [path('/private/a', 5), path('/b', 2)]
    expect(judgePaths(paths, [rules(closed)])).toEqual({
      judged: 7,
      disallowed: [{ ...path('/private/a', 5), rule: 'Disallow: /private' }],
    })
    expect(judgePaths(paths, [rules(closed), rules('')]).disallowed).toEqual([])
    expect(judgePaths(paths, [rules('')])).toEqual({ judged: 7, disallowed: [] })
  })

  test('are judged for each agent by its own group', () => {
    const text = 'User-agent: GPTBot\nDisallow: /\nAllow: /blog$\n\nUser-agent: *\nDisallow:'
    const paths = [path('/a', 3), path('/a', 2, 'CCBot'), path('/blog', 1), path('/robots.txt', 9)]
    expect(judgePaths(paths, [rules(text)]).disallowed).toEqual([{ ...path('/a', 3), rule: 'Disallow: /' }])
  })

  test('are judged within a bound of work, those with most hits first', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `Disallow: /x${at}`).join('\n')
    const paths = Array.from({ length: 900 }, (_, at) => path(`/y${at}`, 1))
    expect(judgePaths(paths, [rules(`User-agent: *\n${many}`)]).judged).toBe(499)
  })
})
