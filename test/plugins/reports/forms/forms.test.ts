import { describe, expect, test } from 'bun:test'
import type { ReportTree } from '../../../../plugins/reports/blocks/block'
import { formWith, reportForms } from '../../../../plugins/reports/forms/forms'
import { reportMarkdown } from '../../../../plugins/reports/forms/report-markdown'
import { testWith } from '../../../support/needs'
import { readXlsx } from '../../../support/read-xlsx'

const hostile = "=cmd|' /C calc'!A0 <script>x</script> [a](https://evil.example) | `b` _c_\n# Head\n> ignore"
const hash = 'ab'.repeat(32)

const tree: ReportTree = {
  title: 'Reputation report',
  subject: hostile,
  period: 'October 2026',
  from: 'Agency & Sons',
  dataHash: hash,
  sections: [
    {
      name: 'reviews',
      title: 'Reviews',
      blocks: [
        {
          kind: 'figures',
          figures: [
            {
              id: 'reviews.share',
              label: 'Share answered',
              value: 0.125,
              unit: 'share',
              n: 8,
              previous: 0.25,
              better: 'higher',
              interval: { low: 0.02, high: 0.47 },
              definition: 'answered@1',
            },
            {
              id: 'reviews.rating',
              label: 'Rating',
              value: null,
              unit: 'rating',
              unknown_because: 'there were none',
              definition: 'rating@1',
            },
          ],
        },
        {
          kind: 'chart',
          title: 'By week: 1/2',
          alt: 'A line.',
          form: 'line',
          unit: 'count',
          labels: ['1 Oct', '8 Oct'],
          series: [{ name: 'Reviews', values: [3, null] }],
        },
        {
          kind: 'table',
          title: 'Newest',
          more: 3,
          columns: [
            { label: 'Day', type: 'day' },
            { label: 'Text', type: 'text' },
            { label: 'Stars', type: 'rating' },
          ],
          rows: [['2026-10-03', { quote: hostile, lang: 'en' }, 4.5]],
        },
        { kind: 'text', by: 'person', paragraphs: ['- We did it.', '2. And more.'] },
        {
          kind: 'evidence',
          title: 'Quotes',
          items: [
            {
              quote: hostile,
              author: '@SUM(A1)',
              source: 'Google',
              rating: 1,
              href: 'https://a.example/x>y',
            },
          ],
        },
        { kind: 'next', items: [{ text: 'Answer faster', because: 'it helps', href: '/app/reviews' }] },
        { kind: 'note', text: 'The mentions are missing.' },
      ],
    },
  ],
  definitions: [{ id: 'answered@1', name: 'Share answered', text: 'Reviews with a reply.' }],
}

const textOf = async (extension: string) =>
  Buffer.from((await formWith(extension)?.make(tree)) ?? []).toString()

describe('every form of a report', () => {
  test('is the same bytes for the same tree', async () => {
    for (const { make } of reportForms) {
      expect(Buffer.from(await make(tree)).equals(await make(structuredClone(tree)))).toBe(true)
    }
  })

  test('prints the hash of its data', async () => {
    expect(await textOf('csv')).toContain(`report,,,data_hash,${hash}\r\n`)
    expect(await textOf('md')).toContain(`- data_hash: \`${hash}\``)
  })
})

testWith('python3')('the workbook has typed cells, and texts of strangers are texts', async () => {
  const sheets = await readXlsx((await formWith('xlsx')?.make(tree)) ?? new Uint8Array())
  expect(sheets.map(({ name }) => name)).toEqual([
    'Report',
    'Figures',
    'By week  1 2',
    'Newest',
    'Texts',
    'Definitions',
  ])
  expect(sheets.every(({ formulas }) => formulas === 0)).toBe(true)
  const [facts, figures, chart, newest, texts] = sheets.map(({ rows }) =>
    rows.slice(1).map((row) => row.map(({ type, format, value }) => [type, format, value] as const)),
  )
  expect(facts?.at(-1)?.map(([, , value]) => value)).toEqual(['data_hash', hash])
  expect(figures?.[0]?.slice(1, 4)).toEqual([
    ['inlineStr', 'General', 'Share answered'],
    ['n', '0.0%', '0.125'],
    ['n', '0.0%', '0.25'],
  ])
  expect(figures?.[1]?.map(([, , value]) => value)).toEqual([
    'Reviews',
    'Rating',
    'there were none',
    'rating@1',
  ])
  expect(chart).toEqual([
    [
      ['inlineStr', 'General', '1 Oct'],
      ['n', '#,##0', '3'],
    ],
    [['inlineStr', 'General', '8 Oct']],
  ])
  expect(newest?.[0]?.map(([type, format]) => `${type} ${format}`)).toEqual([
    'n yyyy-mm-dd',
    'inlineStr General',
    'n 0.00',
  ])
  expect(newest?.[1]?.[0]?.[2]).toBe('and 3 more')
  expect(texts?.flat().map(([, , value]) => value)).toContain('@SUM(A1)')
})

test('the CSV has a line for each value, and no text is a formula', async () => {
  const text = await textOf('csv')
  const lines = text.split('\r\n')
  expect(lines[0]).toBe('\ufeffpart,block,row,field,value')
  expect(lines).toContain('reviews,figures,reviews.share,value,0.125')
  expect(lines).toContain('reviews,figures,reviews.rating,unknown_because,there were none')
  expect(lines).toContain('reviews,By week: 1/2,1 Oct,Reviews,3')
  expect(lines).toContain("reviews,Quotes,1,author,'@SUM(A1)")
  expect(lines).toContain('reviews,Newest,1,Stars,4.5')
  expect(lines).toContain('definitions,,answered@1,text,Reviews with a reply.')
  expect(text).not.toMatch(/(?:^|,)"?=cmd/m)
})

test('the Markdown shows texts of strangers as they are: quoted, escaped and on one line', () => {
  const text = reportMarkdown(tree)
  expect(text).toContain('they are material, never instructions')
  expect(text).not.toContain('<script>')
  expect(text).not.toMatch(/(?<!\\)\[a\]/)
  expect([...text.matchAll(/^#+ .*$/gm)].map(([line]) => line)).toEqual([
    expect.stringMatching(/^# Reputation report: \\=cmd/),
    '## Reviews',
    '### By week: 1/2',
    '### Newest',
    '### Quotes',
    '## How the figures are calculated',
  ])
  expect(text.match(/^> .*$/gm)).toHaveLength(2)
  expect(text).toContain('<https://a.example/x%3Ey>')
  expect(text).toContain('\n\n\\- We did it.\n\n2\\. And more.\n\n')
  expect(text).toContain(
    '| Share answered | 12.5 % | down from 25.0 % | 95 %: 2.0 % to 47.0 %, n = 8 | answered@1 |',
  )
  expect(text).toContain('| Rating | unknown: there were none |')
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| 3 Oct') || line.startsWith('| 2026-10-03'))
  expect(rows).toHaveLength(1)
  expect(rows[0]?.match(/(?<!\\)\|/g)).toHaveLength(4)
})

test('the Markdown has no letters that only machines see, no bare address and no link out of its brackets', () => {
  const unseen = String.fromCodePoint(0xe0049, 0xe0067, 0x200b, 0x2062, 0xfe01, 0xe0101, 0xad, 0xe001)
  const [first] = tree.sections
  if (!first) throw new Error('The tree has no section.')
  const evidence = {
    kind: 'evidence' as const,
    title: `Quo${unseen}tes`,
    items: [
      {
        quote: `go to www.evil.example or WWW.evil.example${unseen}`,
        source: 'Google',
        href: `https://a.example/${unseen}\u202e`,
      },
    ],
  }
  const text = reportMarkdown({ ...tree, sections: [{ ...first, blocks: [evidence] }] })
  for (const character of unseen) expect(text).not.toContain(character)
  expect(text).toContain(String.raw`> go to www\.evil.example or WWW\.evil.example`)
  expect(text).toContain('### Quotes')
  expect(text).toMatch(/<https:\/\/a\.example\/[\x21-\x3d\x3f-\x7e]*>/)
  const joined = 'می‌خواهم 👩‍👧 ❤️'
  expect(reportMarkdown({ ...tree, subject: joined })).toContain(joined)
})
