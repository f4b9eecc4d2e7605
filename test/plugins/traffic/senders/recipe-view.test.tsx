/** @jsxImportSource ../../../../core/web/kit/jsx */
import { expect, test } from 'bun:test'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import type { MarkdownNode } from '../../../../plugins/traffic/senders/markdown-node'
import { Recipe } from '../../../../plugins/traffic/senders/recipe-view'

test.each([
  [40, false],
  [41, true],
])('code of %d lines scrolls in a box of its own: %p', (lines, scrolls) => {
  const text = Array.from({ length: lines }, (_, n) => `line ${n}`).join('\n')
  const nodes: MarkdownNode[] = [{ tag: 'pre', children: [{ tag: 'code', children: [`${text}\n`] }] }]
  const values = { ingestUrl: 'https://hits.acme.test', domain: 'acme.test', siteKey: 'key' }
  const html = renderToString(<Recipe nodes={nodes} values={values} linkTo={(page) => page} />)
  expect(html.includes('class="file"')).toBe(scrolls)
  expect(html).toContain(`line ${lines - 1}`)
})
