import { expect, test } from 'bun:test'
import { compilePdf } from '../../../../plugins/reports/pdf/compile'
import { layoutBytes } from '../../../../plugins/reports/pdf/layout-size'
import { pageModelOf } from '../../../../plugins/reports/pdf/page-model'
import { demoTree, zooTree } from '../../../support/demo-report'

const at = new Date('2026-11-01T06:00:00.000Z')

test('texts of many scripts, hostile and very long texts are laid out as text', () => {
  const tree = zooTree()
  const first = compilePdf(pageModelOf(tree), at)
  // One text has a mark that no font has.
  expect(first.standard).toBe('1.7')
  expect(first.pages).toBeGreaterThan(4)
  expect(Buffer.from(first.bytes).equals(compilePdf(pageModelOf(zooTree()), at).bytes)).toBe(true)
  const [section] = tree.sections
  for (const name of ['Hebrew', 'Arabic', 'Typst markup', 'HTML and SVG']) {
    const table = section?.blocks.find(({ kind }) => kind === 'table')
    if (!section || table?.kind !== 'table') throw new Error('The zoo has no table.')
    const rows = table.rows.filter(([script]) => script === name)
    const { standard } = compilePdf(
      pageModelOf({ ...tree, sections: [{ ...section, blocks: [{ ...table, rows }] }] }),
      at,
    )
    expect([name, standard]).toEqual([name, 'ua-1'])
  }
})

test('labels of charts with marks and emoji neither hang the layout nor break the standard', () => {
  const chart = {
    kind: 'chart' as const,
    title: 'Bars' as const,
    alt: 'Bars.' as const,
    form: 'bars' as const,
    unit: 'count' as const,
    labels: ['❤️', '1️⃣', 'a\u0321\u0335', '👩‍👩‍👧', 'שָׁלוֹם'],
    series: [{ name: '❤️', values: [1, 2, 3, 4, 5] }],
  }
  const tree = { ...demoTree('ai_traffic_report'), sections: [{ name: 'a', title: 'A', blocks: [chart] }] }
  expect(compilePdf(pageModelOf(tree), at).standard).toBe('ua-1')
})

test('the appendix lists each figure once, with its interval and definition', () => {
  const tree = demoTree('monthly_reputation_report')
  const { figures } = pageModelOf(tree)
  const ids = tree.sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'figures' ? block.figures.map(({ id }) => id) : [])),
  )
  expect(figures.length).toBe(new Set(ids).size)
  const known = tree.definitions.map(({ id }) => id)
  for (const line of figures) expect(known).toContain(line.at(-1)?.text.replaceAll('\u200b', '') ?? '')
  expect(layoutBytes(pageModelOf(tree))).toBeLessThan(10_000_000)
})
