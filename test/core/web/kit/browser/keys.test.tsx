/** @jsxImportSource ../../../../../core/web/kit/jsx */
import { expect, test } from 'bun:test'
import { useKeys } from '../../../../../core/web/kit/browser/keys'
import { renderToString } from '../../../../../core/web/kit/jsx/render'

function Page({ keys }: { readonly keys: readonly string[] }) {
  useKeys(Object.fromEntries(keys.map((key) => [key, () => {}])))
  return <p>there</p>
}

test('a page takes single characters only: the keys that scroll and move belong to the browser', () => {
  expect(renderToString(<Page keys={['d', '?', 'X', '/']} />)).toBe('<p>there</p>')
  for (const key of ['ArrowLeft', 'ArrowDown', 'PageDown', 'Home', 'Tab', 'Enter', 'Escape', ' ', ''])
    expect(() => renderToString(<Page keys={['d', key]} />)).toThrow('belongs to the browser')
})
