import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { senders } from '../../../../ingest/data/senders'
import { fill } from '../../../../plugins/traffic/senders/fill'
import type { MarkdownNode } from '../../../../plugins/traffic/senders/markdown-node'
import { builderPages, senderPage, senderTitles } from '../../../../plugins/traffic/senders/sender-pages'

const root = join(import.meta.dir, '../../../..')
const site = {
  ingestUrl: 'https://hits.acme.test',
  domain: 'acme.test',
  token: 'rnw_fwd_secret',
  siteKey: 'key1',
}
const texts = (nodes: readonly MarkdownNode[]): string[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? [node] : texts(node.children)))

test('every sender that the counter reads has a recipe, by the same name and title', async () => {
  const shown = (await senderTitles())
    .flatMap((group) => group.senders)
    .filter(({ page }) => !builderPages.includes(page))
  const read = senders.map(({ page, title }) => ({ page, title }))
  const byPage = (a: { page: string }, b: { page: string }) => a.page.localeCompare(b.page)
  expect(shown.toSorted(byPage)).toEqual(read.toSorted(byPage))
})

test('a sender that nobody knows has none, whatever it is called', async () => {
  for (const page of ['', 'nothing', '../index', '../../../package', 'nginx.md', '__proto__'])
    expect(await senderPage(page)).toBeNull()
})

describe.each(senders.map(({ page, path }) => [page, path] as const))('the recipe of %s', (page, path) => {
  test('is the page of the documents', async () => {
    const [recipe, printed] = await Promise.all(
      ['plugins/traffic/senders', 'docs/operators/senders'].map((folder) =>
        Bun.file(join(root, folder, `${page}.md`)).text(),
      ),
    )
    expect(printed?.split('\n').slice(2).join('\n')).toBe(recipe)
  })
  test('has the site’s own address, token and domain in place of every placeholder', async () => {
    const recipe = await senderPage(page)
    const whole = texts(recipe?.nodes ?? [])
      .map((text) => fill(text, site))
      .join('\n')
    expect(whole).not.toMatch(/example\.com|shop\.example|<forwarder token>|<site key>/)
    expect(whole).toContain('hits.acme.test')
    expect(whole).toContain('rnw_fwd_secret')
    expect(whole).toContain(path.slice(1))
  })
  test('keeps the placeholder of a token that is not at hand', async () => {
    const recipe = await senderPage(page)
    const { token: _, ...untold } = site
    const whole = texts(recipe?.nodes ?? []).map((text) => fill(text, untold))
    expect(whole.join('\n')).toContain('<forwarder token>')
  })
})

describe.each(builderPages)('the page of %s', (page) => {
  test('says what can be had there, for visits and for crawlers', async () => {
    const recipe = await senderPage(page)
    const whole = texts(recipe?.nodes ?? [])
      .map((text) => fill(text, site))
      .join('\n')
    expect(whole).not.toMatch(/example\.com|shop\.example|<site key>/)
    expect(whole).toMatch(/[Cc]annot be (?:had|counted)|Cloudflare/)
    const tag = '<script defer src="https://hits.acme.test/s/key1.js"></script>'
    const text = await Bun.file(join(root, 'plugins/traffic/senders/builders', `${page}.md`)).text()
    expect(whole.includes(tag) || text.includes('(wordpress.md)')).toBe(true)
    const overview = await Bun.file(join(root, 'docs/owners/website-builders.md')).text()
    expect(overview).toContain(`(builders/${page}.md)`)
  })
})

test('a counter without TLS or at a port of its own is asked there by senders that name host and port apart', async () => {
  const plain = { ...site, ingestUrl: 'http://10.0.0.7:3001' }
  const filled = async (page: string) =>
    texts((await senderPage(page))?.nodes ?? [])
      .map((text) => fill(text, plain))
      .join('\n')
  expect(await filled('rsyslog')).toContain('url=http://10.0.0.7:3001/v1/logs')
  expect(await filled('fluent-bit')).toMatch(/Host +10\.0\.0\.7\n +Port +3001\n.* tls +off/s)
})
