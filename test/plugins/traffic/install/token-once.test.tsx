/** @jsxImportSource ../../../../core/web/kit/jsx */
import { expect, test } from 'bun:test'
import { renderToString } from '../../../../core/web/kit/jsx/render'
import { TokenOnce } from '../../../../plugins/traffic/install/token-once'

test.each([true, false])('speaks of an old token only where there was one: %p', (is_replaced) => {
  const site = { site_id: 'sit_1', domain: 'shop.example', name: 'shop.example' }
  const shown = { ...site, forwarder_token: 'rnw_fwd_1', is_replaced }
  const html = renderToString(<TokenOnce shown={shown} saved="/app/install" />)
  expect(html).toContain('rnw_fwd_1')
  expect(html.includes('old token')).toBe(is_replaced)
})
