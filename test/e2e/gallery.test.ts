import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium } from '../support/chromium'
import { galleryPrefix, goldenFault, staleGolden } from '../support/golden'
import { type Gate, startGate } from '../support/harness'
import { describeWith } from '../support/needs'
import { signedIn } from '../support/signed-in'

/** The page of components, one picture for each of its cards: what pages are made of, in each state that it has. */
const web = join(import.meta.dir, '../../core/web')
const looks = ['light', 'dark'].flatMap((colorScheme) =>
  [
    { as: 'phone', width: 390 },
    { as: 'desktop', width: 1280 },
  ].map(({ as, width }) => ({
    name: `${as}-${colorScheme}`,
    width,
    colorScheme: colorScheme as 'light' | 'dark',
  })),
)

/** What the page of components does not show, each with the reason. */
const notShown: Readonly<Record<string, string>> = {
  Labelled: 'Field, Select and TextArea are made of it',
  Fault: 'fields with an error have it',
  Username: 'nobody sees it',
  Mark: 'the frame of the page has it',
  Highlight: 'Quote and Diff are made of it',
  KeyList: 'KeyHints has it',
  StackedBars: 'LiveBars draws it',
  Toast: 'it lies above the page and goes; its button is shown',
  CardForm: 'it is a form that a script sends',
  LanguageOf: 'it says the language of texts, and has no look',
  AppPeriods: 'the buttons of an app in a chat, which has a look of its own',
  Listed: 'it is made of Card, Table, Field and Downloads, and the pages of lists have pictures',
  Cell: 'Listed has it',
  ListFoot: 'Listed has it',
  Choose: 'Listed has it, and the pages of lists have pictures',
  Several: 'Listed has it, and it shows only where rows are chosen',
  ChosenSaid: 'it is made of Toast and Notice',
  IgnoredValues: 'it is a Notice with a list',
  ActForm: 'its fields, errors and button are shown',
}

test('every component that pages share is on the page of components', () => {
  const files = [...tsxIn('parts'), ...tsxIn('charts'), ...tsxIn('client')]
  const components = files.flatMap((file) =>
    [
      ...readFileSync(join(web, 'kit', file), 'utf8').matchAll(
        /^export (?:const|function) ([A-Z][A-Za-z]+)\b(?!.*createContext)/gm,
      ),
    ].map(([, name = '']) => name),
  )
  const page = ['design.tsx', 'design-parts.tsx']
    .map((file) => readFileSync(join(web, 'pages/design', file), 'utf8'))
    .join('')
  expect(components.length).toBeGreaterThan(30)
  expect(components.filter((name) => !page.includes(`<${name}`) && !(name in notShown))).toEqual([])
  expect(
    Object.keys(notShown).filter((name) => !components.includes(name) || page.includes(`<${name}>`)),
  ).toEqual([])
})

const tsxIn = (folder: string) =>
  readdirSync(join(web, 'kit', folder))
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => join(folder, name))

describeWith('chromium')('the page of components', () => {
  let gate: Gate
  let browser: Browser
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    gate = await startGate()
    const origin = `http://localhost:${gate.listen().port}`
    const [name = '', value = ''] = (await signedIn(gate, { origin })).cookie.split('=')
    browser = await startChromium()
    context = await browser.newContext({ reducedMotion: 'reduce' })
    await context.clock.setFixedTime(new Date('2026-11-20T12:00:00.000Z'))
    await context.addCookies([{ name, value, url: origin }])
    page = await context.newPage()
    await page.goto(`${origin}/app/design`)
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await gate?.stop()
  })

  test.each(looks)(
    'looks as it did: $name',
    async ({ name, width, colorScheme }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
      const cards = (await page.evaluate(`[...document.querySelectorAll('main .card')].map((card) => {
      const { x, y, width, height } = card.getBoundingClientRect()
      const title = card.querySelector('h2').textContent.toLowerCase().replaceAll(/[^a-z]+/g, '-')
      return { title, x: x + scrollX, y: y + scrollY, width, height }
    })`)) as { title: string; x: number; y: number; width: number; height: number }[]
      expect(cards.length).toBeGreaterThan(8)
      const found: string[] = []
      for (const { title, ...part } of cards) {
        const fault = await goldenFault(page, `${galleryPrefix}${title}.${name}`, part)
        if (fault) found.push(fault)
      }
      expect(found).toEqual([])
    },
    90_000,
  )

  test('has a picture for each card that there is, and no other', () => {
    expect(staleGolden('components')).toEqual([])
  })
})
