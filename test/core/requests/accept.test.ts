import { expect, test } from 'bun:test'
import { prefers } from '../../../core/requests/accept'

test.each([
  // accept, HTML rather than JSON, JSON rather than HTML
  [null, false, false],
  ['*/*', false, false],
  ['', false, false],
  ['text/html', true, false],
  ['text/html, application/json', true, true],
  ['application/json, text/plain, */*', false, true],
  ['text/html;q=0.1, application/json;q=0.9', false, true],
  ['text/html ; level=1 ; q=0.9 , application/json;q=0.1', true, false],
  ['text/html;level=1;q=0.1, application/json;q=0.9', false, true],
  ['text/html;xq=0.1, application/json;q=0.9', true, false],
  ['text/html;q = 0.9, application/json;q =0.1', true, false],
  ['text/html;q=0.1;q=0.9, application/json;q=0.5', false, true],
  ['text/html;q=0, */*', false, true],
  ['text/html;q=0', false, false],
  ['text/*;q=0.4, application/*;q=0.3', true, false],
  ['image/png', false, false],
  ['application/json;q=nonsense', false, true],
  // A weight that cannot be read counts as 1, whatever number it begins or ends with.
  ...['10', '1.5', 'x0', '0.1x', '-0', '0.0001', '1.0000'].map(
    (q) => [`text/html;q=0.5, application/json;q=${q}`, false, true] as const,
  ),
  ...['0', '0.', '0.4', '0.49', '0.499'].map(
    (q) => [`text/html;q=0.5, application/json;q=${q}`, true, false] as const,
  ),
  ...['1', '1.000', '0.501', '0.51'].map(
    (q) => [`text/html;q=0.5, application/json;q=${q}`, false, true] as const,
  ),
])('the header %p is weighed as RFC 9110 says', (accept, html, json) => {
  expect(prefers(accept, 'text/html', 'application/json')).toBe(html)
  expect(prefers(accept, 'application/json', 'text/html')).toBe(json)
})
