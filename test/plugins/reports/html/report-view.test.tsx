/** @jsxImportSource ../../../../core/web/kit/jsx */
import { expect, test } from 'bun:test'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import type { ReportTree } from '../../../../plugins/reports/blocks/block'
import { ReportView } from '../../../../plugins/reports/html/report-view'

const treeOf = (rows: number) =>
  ({
    title: 'Report',
    period: 'May 2026',
    subject: 'Bakery',
    from: 'Agency',
    dataHash: 'ab',
    definitions: [],
    sections: [
      {
        name: 'pages',
        title: 'Pages',
        blocks: [
          {
            kind: 'table',
            title: 'Top pages',
            columns: [{ label: 'Page', type: 'text' }],
            rows: Array.from({ length: rows }, (_, n) => [`/page-${n}`]),
          },
        ],
      },
    ],
  }) as unknown as ReportTree

test.each([
  [11, false],
  [12, true],
])('a table of %d rows has all of them, and hides the later ones: %p', (rows, isLong) => {
  const html = renderToString(<ReportView tree={treeOf(rows)} hasAccount={false} />)
  expect(html).toContain(`/page-${rows - 1}<`)
  expect(html.includes(`Show all ${rows} rows`)).toBe(isLong)
})
