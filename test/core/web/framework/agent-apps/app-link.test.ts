import { expect, test } from 'bun:test'
import { linkFor } from '../../../../../core/web/framework/agent-apps/app-link'

const own = 'https://a.example/app/w/wsp_1/reviews'

test('the link of an app leads to the workspace that the call named, otherwise to that of the connection', () => {
  expect(linkFor(own, {})).toBe(own)
  expect(linkFor(own, { workspace_id: 'wsp_2' })).toBe('https://a.example/app/w/wsp_2/reviews')
  expect(linkFor('https://a.example/app/reviews', { workspace_id: 'wsp_2' })).toBe(
    'https://a.example/app/w/wsp_2/reviews',
  )
})

test.each(['Bakery', 'wsp_/../x', 'wsp_1"onclick', 7, null])('the link of an app ignores %p', (named) =>
  expect(linkFor(own, { workspace_id: named })).toBe(own),
)
