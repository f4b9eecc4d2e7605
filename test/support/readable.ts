import type { Page } from 'playwright-core'

/** Runs axe over a page, on a phone and a desk, in light and dark; answers every fault that it or the eye would find. */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const axe = await Bun.file(require.resolve('axe-core/axe.min.js')).text()
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate(axe)
      const faults = (await page.evaluate(
        `axe.run().then(({ violations }) => violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120) + n.failureSummary).join(' | ')))`,
      )) as string[]
      found.push(...faults.map((fault) => `${name} ${colorScheme} ${width}: ${fault}`))
      if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
        found.push(`${name} ${width}: scrolls sideways`)
      const titles = await page.locator('h1').count()
      if (titles !== 1) found.push(`${name}: ${titles} titles`)
    }
  }
  return found
}
