import { expect, test } from 'bun:test'
import { pageOf, publicPageOf, send, sendOnce } from '../../../core/http/answer'

const asking = (etag?: string) =>
  new Request('http://x/', etag === undefined ? {} : { headers: { 'if-none-match': etag } })

test('a page is private to the credential and the workspace, a public one is kept for a minute', () => {
  const own = pageOf('[1]', { 'x-a': 'b' })
  expect(own).toEqual({
    body: '[1]',
    headers: {
      'content-type': 'application/json',
      'cache-control': 'private',
      vary: 'Authorization, X-Workspace-Id',
      'x-a': 'b',
      etag: expect.stringMatching(/^W\/"[0-9a-z]+"$/),
    },
  })
  expect(publicPageOf('[1]', { 'content-type': 'text/html' }).headers).toEqual({
    'content-type': 'text/html',
    'cache-control': 'public, max-age=60',
    etag: own.headers.etag as string,
  })
  expect(pageOf('[2]').headers.etag).not.toBe(own.headers.etag)
})

test('a page that the caller has is answered by 304, without its type and body', async () => {
  const page = pageOf('[1]')
  const etag = page.headers.etag as string
  for (const sent of [etag, etag.slice(2), '*', ' * ', `"x", ${etag}`, `${etag} , "x"`]) {
    const answer = send(asking(sent), page)
    expect([sent, answer.status, await answer.text()]).toEqual([sent, 304, ''])
    expect(answer.headers.get('etag')).toBe(etag)
    expect(answer.headers.get('vary')).toBe('Authorization, X-Workspace-Id')
    expect(answer.headers.get('content-type')).toBeNull()
  }
  for (const sent of [undefined, '"x"', 'W/"x"', '', `${etag}x`]) {
    const answer = send(asking(sent), page)
    expect([sent, answer.status, await answer.text()]).toEqual([sent, 200, '[1]'])
    expect(answer.headers.get('content-type')).toBe('application/json')
  }
})

test('a page that is sent once gives its memory back; a view of a larger memory and a text do not', async () => {
  const whole = new TextEncoder().encode('[1,2]').slice()
  const answer = sendOnce(asking(), pageOf(whole))
  expect([await answer.text(), whole.buffer.byteLength]).toEqual(['[1,2]', 0])
  const larger = new TextEncoder().encode('[1,2] and more').slice()
  expect(await sendOnce(asking(), pageOf(larger.subarray(0, 5))).text()).toBe('[1,2]')
  expect(larger.buffer.byteLength).toBe(14)
  expect(await sendOnce(asking(), pageOf('[3]')).text()).toBe('[3]')
})
