import type { Page } from 'playwright-core'

const isLong = process.env.RENOWN_LONG === '1'
/** A narrow phone and a desk, in light and dark. The quick run looks at two of the four, and lets axe look at the last. */
const looks = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
  ...(isLong
    ? ([
        { colorScheme: 'dark', width: 360 },
        { colorScheme: 'light', width: 1280 },
      ] as const)
    : []),
] as const

/** Looks at a page. Returns every fault that it or the eye would find. */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const axe = await Bun.file(require.resolve('axe-core/axe.min.js')).text()
  await page.evaluate(axe)
  const found: string[] = []
  for (const [nth, { colorScheme, width }] of looks.entries()) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    if (isLong || nth === looks.length - 1) {
      const faults = (await page.evaluate(
        `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120) + n.failureSummary).join(' | ')))`,
      )) as string[]
      found.push(...faults.map((fault) => `${name} ${colorScheme} ${width}: ${fault}`))
    }
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      found.push(`${name} ${width}: scrolls sideways`)
    const titles = await page.locator('h1').count()
    if (titles !== 1) found.push(`${name}: ${titles} titles`)
  }
  return found
}
