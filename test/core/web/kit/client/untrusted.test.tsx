/** @jsxImportSource ../../../../../core/web/kit/jsx */
import { expect, test } from 'bun:test'
import { OutLink } from '../../../../../core/web/kit/client'
import { renderToString } from '../../../../../core/web/kit/jsx/render'

const linked = (href: string) => renderToString(<OutLink href={href} />)

test('a link shows its path and query in their own letters, and leads to the address as it was written', () => {
  const address = 'https://a.example/%D1%86%D0%B5%D0%BD%D1%8B?q=gr%C3%B6%C3%9Fe'
  expect(linked(address)).toContain(`href="${address}"`)
  expect(linked(address)).toContain('<bdi dir="ltr">a.example/цены?q=größe</bdi>')
})

test('a link shows no character that deceives, and no markup', () => {
  const shown = linked('https://a.example/%E2%80%AE%E2%80%8B%3Cb%3E%C3%B6?%E2%80%AE')
  expect(shown).toContain('a.example/%E2%80%AE%E2%80%8B%3Cb%3Eö?%E2%80%AE')
  expect(shown).not.toMatch(/[\u200b\u202e]|<b>/)
})
