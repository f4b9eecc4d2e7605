/** @jsxImportSource ../../../../../core/web/kit/jsx */
import { describe, expect, test } from 'bun:test'
import { TimeOf } from '../../../../../core/web/kit/browser/page-time'
import type { Children } from '../../../../../core/web/kit/jsx/jsx-runtime'
import { renderToString } from '../../../../../core/web/kit/jsx/render'
import { Diff } from '../../../../../core/web/kit/parts/diff'
import { Filters } from '../../../../../core/web/kit/parts/filters'
import { IntervalBar } from '../../../../../core/web/kit/parts/interval-bar'
import { ListDetail } from '../../../../../core/web/kit/parts/list-detail'
import { Moment } from '../../../../../core/web/kit/parts/moment'
import { Quote } from '../../../../../core/web/kit/parts/quote'
import { Table } from '../../../../../core/web/kit/parts/table'

const evil = '<img src=x onerror=alert(1)>'

describe('a moment', () => {
  const now = '2026-03-15T12:00:00.000Z'
  const shown = (at: string | undefined, timezone = 'Europe/Berlin') =>
    renderToString(
      <TimeOf value={{ timezone, now }}>
        <Moment at={at} />
      </TimeOf>,
    ).replaceAll(/<[^>]+>/g, '')

  test.each([
    ['2026-03-15T11:59:40.000Z', 'just now'],
    ['2026-03-15T11:35:00.000Z', '25 min ago'],
    ['2026-03-15T09:00:00.000Z', '3 h ago'],
    ['2026-03-12T12:00:00.000Z', '3 days ago'],
    ['2026-03-15T14:00:00.000Z', 'in 2 h'],
    ['2026-03-08T12:00:00.000Z', '8 Mar 2026'],
  ])('%s is told as %s', (at, words) => {
    expect(shown(at)).toStartWith(`${words} (`)
  })

  test('has its exact time in the zone of the workspace', () => {
    expect(shown('2026-03-06T23:30:00.000Z')).toBe('7 Mar 2026 (7 Mar 2026, 00:30 CET)')
    expect(shown('2026-03-06T23:30:00.000Z', 'America/New_York')).toStartWith('6 Mar 2026 (6 Mar 2026, 18:30')
    expect(shown(undefined)).toBe('never')
  })
})

describe('a table', () => {
  const classes = (...cells: Children[]) =>
    /<thead>.*<\/thead>/.exec(
      renderToString(
        <Table
          label="t"
          columns={['Name', 'Value']}
          rows={cells.map((cell, place) => [`row ${place}`, cell])}
        />,
      ),
    )?.[0]
  test('has columns of numbers at the right', () => {
    expect(classes('1,234', '–', '12 %', 7)).toContain('class="end"')
    expect(classes('▲ 3 %', '4.6')).toContain('class="end"')
  })
  test('leaves words, dates and mixtures where they are', () => {
    for (const cells of [['2026-03-14'], ['12', 'twelve'], ['–'], [<b key="b">1</b>]])
      expect(classes(...cells)).not.toContain('class="end"')
  })
})

describe("a stranger's text", () => {
  test('is text in its own direction', () => {
    const html = renderToString(<Quote text={`${evil}\nline`} lang="de" by={evil} />)
    expect(html).toContain('dir="auto" lang="de"')
    expect(html).not.toContain('<img')
  })
  test('has marks where they are said to be, and none outside or across another', () => {
    const html = renderToString(
      <Quote
        text="cold soup again"
        marks={[
          [5, 9],
          [0, 4],
          [3, 6],
          [10, 99],
        ]}
      />,
    )
    expect(html).toContain('<mark>cold</mark> <mark>soup</mark> again')
  })
})

test('filters lead back to the address without each of them, and keep the others', () => {
  const html = renderToString(
    <Filters
      action="/app/reviews"
      label="Filter"
      keep={{ sort: 'new' }}
      filters={[
        { name: 'rating', label: 'Rating', value: '5', options: [['5', '5 stars']] },
        { name: 'q', label: 'Text', value: `a&b ${evil}`, isSearch: true },
        { name: 'source', label: 'Source', value: '', options: ['one'] },
      ]}
    />,
  )
  const links = [...html.matchAll(/class="chip" href="([^"]+)"/g)].map(([, href = '']) => {
    const url = new URL(href.replaceAll('&amp;', '&'), 'http://x')
    return Object.fromEntries(url.searchParams)
  })
  expect(links).toEqual([
    { sort: 'new', q: `a&b ${evil}` },
    { sort: 'new', rating: '5' },
  ])
  expect(html).toContain('Rating: <bdi>5 stars</bdi>')
  expect(html).not.toContain('<img')
})

test('a list keeps its selection in the address, and names the selected row', () => {
  const rows = ['a', 'b'].map((id) => ({ id, href: `/app/reviews?id=${id}`, children: id }))
  const html = renderToString(
    <ListDetail label="Reviews" rows={rows} selectedId="b" backHref="/app/reviews" detail={<p>here</p>} />,
  )
  expect(html).toContain('<a href="/app/reviews?id=b" aria-current="true">b</a>')
  expect(html.match(/aria-current/g)).toHaveLength(1)
})

test('an interval says its bounds in words, and stays inside its bar', () => {
  const html = renderToString(<IntervalBar label="Recommended" value={0.42} low={0.37} high={0.47} />)
  expect(html).toContain('aria-label="Recommended: 42 %, between 37 % and 47 %"')
  expect(renderToString(<IntervalBar label="x" value={1.2} low={-0.2} high={1.2} />)).toContain(
    'width="100%"',
  )
})

describe('a difference', () => {
  const shown = (before: string, after: string) => renderToString(<Diff before={before} after={after} />)
  const left = (html: string, gone: 'ins' | 'del') =>
    html.replaceAll(new RegExp(`<${gone}>.*?</${gone}>`, 'gs'), '').replaceAll(/<[^>]+>/g, '')

  test('has both texts in it, whatever changed', () => {
    for (const [before, after] of [
      ['Dear Jo, thank you.', 'Hello Jo, thank you very much.'],
      ['', 'new'],
      ['old', ''],
      ['same', 'same'],
      ['a b c d', 'd c b a'],
      ['x '.repeat(700), 'y '.repeat(3)],
    ] as const) {
      const html = shown(before, after)
      expect(left(html, 'ins')).toBe(before)
      expect(left(html, 'del')).toBe(after)
    }
  })

  test('marks what changed alone', () => {
    expect(shown('Dear Jo, thank you', 'Hello Jo, thank you')).toContain('<del>Dear </del><ins>Hello </ins>')
    expect(shown(evil, 'x')).not.toContain('<img')
  })

  test('marks one word in a text of any length', () => {
    const words = (n: number) => Array.from({ length: n }, (_, at) => `word${at} `).join('')
    const html = shown(`${words(5_000)}old ${words(5_000)}`, `${words(5_000)}new ${words(5_000)}`)
    expect(html.match(/<(?:ins|del)>.*?<\/(?:ins|del)>/g)).toEqual(['<del>old </del>', '<ins>new </ins>'])
  })

  test('of texts that share nothing costs little', () => {
    const words = (sign: string) => Array.from({ length: 20_000 }, (_, at) => `${sign}${at} `).join('')
    const before = process.cpuUsage().user
    expect(shown(words('a'), words('b'))).toMatch(/^<div[^>]*><del>a0 .*<\/del><ins>b0 .*<\/ins><\/div>$/)
    // Without a limit it takes minutes.
    expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(1_000)
  })
})
