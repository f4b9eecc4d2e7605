import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { splitAddress } from '../../core/kit/page-addresses'
import { withCore } from '../../core/product/core-plugins'
import type { Route as Declared } from '../../core/web/framework/route'
import { builtin } from '../../plugins'
import { startChromium } from '../support/chromium'
import { goldenFault, staleGolden } from '../support/golden'
import { isWriting } from '../support/golden-mode'
import { startGate } from '../support/harness'
import { describeWith, testWith } from '../support/needs'
import { pkcePair } from '../support/oauth-app'
import { ownerEmail, ownerPassword } from '../support/person'
import { follow, press } from '../support/press'
import { type RunningProduct, startProduct } from '../support/product'

/**
 * Every page of the product, from the table of pages: a new one is opened by itself, and `bun run golden` makes its
 * pictures. Pages that only stand after something was done have a way of their own below. The pictures are compared in the long run:
 * what each component looks like is compared in `gallery.test.ts`.
 */
const isLong = process.env.RENOWN_LONG !== undefined || isWriting
const noon = new Date('2026-11-20T12:00:00.000Z')
const looks = [
  { name: 'phone-light', width: 390, colorScheme: 'light' },
  { name: 'desktop-dark', width: 1280, colorScheme: 'dark' },
  ...(isLong
    ? ([
        { name: 'phone-dark', width: 390, colorScheme: 'dark' },
        { name: 'desktop-light', width: 1280, colorScheme: 'light' },
      ] as const)
    : []),
] as const

const hostile = '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>'
const long = 'Llanfair'.repeat(500)
const rightToLeft = '\u202Eمخبز الميناء 12\u202C'

const gate = await startGate({ plugins: withCore(builtin) })
const table: readonly Declared[] = gate.gateway.pages
await gate.stop()
const isShown = ({ method, path, auth }: Declared) =>
  method === 'GET' && auth !== 'none' && !/^\/app\/(data|events)\//.test(path)
const shown = table.filter(isShown)
const paths = shown.map(({ path }) => path)
const declared = [...gate.registry.pages.keys()]

/** Pages that show nothing of their own without a word in the address. */
const queries: Readonly<Record<string, () => Promise<string> | string>> = {
  '/app/domains/remove': () => `?domain=${domainId}`,
  '/app/settings/connections/remove': () => `?of=${connectionId}`,
  '/app/settings/connections/locations': () => `?of=${connectionId}`,
  '/app/locations/one': () => `?location=${product.facts.location_id}`,
  '/app/traffic/crawler': () => '?agent=GPTBot',
  '/app/sites/one': () => `?site=${product.facts.site_id}`,
  '/app/sites/mapping': () => `?site=${product.facts.site_id}`,
  '/app/visibility/answers/one': async () => {
    await open('/app/visibility/answers')
    const href = await page.locator('.answer-list a').first().getAttribute('href')
    return new URL(href ?? '', page.url()).search
  },
  '/app/mentions': async () => {
    await open('/app/mentions')
    const href = await page.locator('.panes .list a').first().getAttribute('href')
    return new URL(href ?? '', page.url()).search
  },
  '/app/mentions/tracker': async () => {
    await open('/app/mentions/trackers')
    const href = await page.getByRole('rowheader').getByRole('link').first().getAttribute('href')
    return new URL(href ?? '', page.url()).search
  },
  '/app/reports/scheduled': async () => {
    await open('/app/reports')
    const href = await page.locator('a[href*="/reports/scheduled?"]').first().getAttribute('href')
    return new URL(href ?? '', page.url()).search
  },
  '/app/reports/one': async () => {
    await open('/app/reports')
    const href = await page
      .getByRole('link', { name: /^Reputation report/ })
      .first()
      .getAttribute('href')
    return new URL(href ?? '', page.url()).search
  },
  '/app/locations/sure': () =>
    `?location=${product.facts.location_id}&workspace=${product.facts.workspace_id}&to=rest`,
  '/app/posts/post': async () => {
    await open('/app/posts?view=list')
    const href = await page.locator('.post-link').first().getAttribute('href')
    return new URL(href ?? '', page.url()).search
  },
  '/app/clients/one': () => `?of=${clientId}`,
  '/app/visibility/tracker': () => `?tracker=${trackerId}`,
  '/app/clients/archive': () => `?of=${clientId}`,
  '/app/clients/invite': () => `?of=${clientId}`,
  '/app/members/one': () => `?person=${memberId}`,
  '/app/members/deactivate': () => `?person=${memberId}`,
  '/app/workspace-data/delete': () => `?of=${product.facts.workspace_id}`,
  '/oauth/consent': async () => `?${await consentQuery()}`,
}

/** What they answer where it is not 200. */
const statuses: Readonly<Record<string, number>> = {
  '/app/workspace-data/delete': 409,
  // Nobody was sent to a service, so that no answer of one is awaited, and no service is set up.
  '/app/settings/connections/google/callback': 400,
  '/app/settings/connections/facebook/callback': 400,
  '/app/settings/connections/reddit/callback': 400,
  '/app/settings/connections/youtube/callback': 400,
  '/app/settings/connections/facebook/pages': 400,
  '/app/settings/connections/locations': 422,
}

let product: RunningProduct
let browser: Browser
let context: BrowserContext
let page: Page
let memberId = ''
let domainId = ''
let connectionId = ''
let demoId = ''
let clientId = ''
let trackerId = ''
const said: string[] = []

/** What a browser complains of, and whom else it asks. */
function watch(watched: Page) {
  const at = () => watched.url().replace(product.facts.api_url, '')
  watched.on('console', (message) => {
    // An answer such as 404 is what the page is about.
    if (message.type() === 'error' && !/Failed to load resource.*\b4\d\d\b/.test(message.text()))
      said.push(`${at()}: ${message.text()}`)
  })
  watched.on('pageerror', (error) => said.push(`${at()}: ${error.message}`))
  watched.on('dialog', (dialog) => {
    said.push(`${at()}: ${dialog.message()}`)
    void dialog.dismiss()
  })
  watched.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(product.facts.api_url) && !url.startsWith('data:')) said.push(`${at()}: asks ${url}`)
  })
}

const axe = await Bun.file(require.resolve('axe-core/axe.min.js')).text()
let looked = 0
/** Rules of WCAG that can be checked by a program. It tells faults only, which takes less time. */
const axeOptions = `{ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'], preload: false }`

/**
 * Looks at the page that is open: names of controls, contrast, width, and its picture in the long run. axe takes most of the time, so the quick run lets it
 * look once at each page, in turns on a phone in light and on a desk in dark. A page that has nothing to show has one picture there.
 */
async function look(name: string, isEmpty = false): Promise<string[]> {
  await page.evaluate(axe)
  const found: string[] = []
  const turn = looked++ % looks.length
  for (const [nth, { name: as, width, colorScheme }] of looks.entries()) {
    if (isEmpty && !isLong && nth !== turn) continue
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
      found.push(`${name} ${as}: scrolls sideways`)
    if (isLong || nth === turn) {
      const faults = (await page.evaluate(
        `axe.run(${axeOptions}).then(({ violations }) => violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')))`,
      )) as string[]
      found.push(...faults.map((fault) => `${name} ${as}: ${fault}`))
    }
    if (!isLong) continue
    await page.evaluate(hideWhatMoves)
    const fault = await goldenFault(page, `${name}.${as}`)
    if (fault) found.push(fault)
  }
  if (await page.evaluate('document.title === "run" || document.querySelector("img[src=x]") !== null'))
    found.push(`${name}: a stranger's text was run`)
  return found
}

/** Ports, ids and secrets are others in every run; words of the same length stand in for them. */
const hideWhatMoves = `(() => {
  const still = (text) => text
    .replace(/\\b(localhost|127\\.0\\.0\\.1):\\d+/g, '$1:3000')
    .replace(/\\b(rnw_[a-z]+_|[a-z]{3}_)([0-9A-Za-z]{20,})/g, (_, a, b) => a + 'X'.repeat(b.length))
    .replace(/^[1-9] min ago$/, 'just now')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (m) => m.replaceAll(/[0-9a-f]/g, '0'))
    .replace(/…[0-9A-Za-z]{4}\\b/g, '…abcd')
    .replace(/(ending in|ended in) [0-9A-Za-z]{4}\\b/g, '$1 abcd')
    .replace(/([A-Z2-7]{4} ){3,}[A-Z2-7]{1,4}/g, (m) => m.replaceAll(/[A-Z2-7]/g, 'A'))
    .replace(/renown-verify=\\w+|\\b[0-9A-Za-z]{32,}\\b/g, (m) => 'x'.repeat(m.length))
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const short = node.parentElement.tagName === 'CODE' && /^[0-9A-Za-z]{4}$/.test(node.data)
    const next = short ? 'abcd' : still(node.data)
    if (next !== node.data) node.data = next
  }
  for (const field of document.querySelectorAll('input:not([type=hidden]), textarea')) {
    const next = still(field.value)
    if (next !== field.value) field.value = next
  }
  for (const moving of document.querySelectorAll('.qr, [data-moves]')) moving.style.visibility = 'hidden'
  document.activeElement?.blur()
})()`

async function open(path: string) {
  const answer = await page.goto(`${product.facts.api_url}${path}`)
  // What an address names can belong to another workspace, which is then the chosen one. So can what a page leads to.
  if (`${at()}${new URL(page.url()).search}` !== path || path.includes('?')) chosen = ''
  return answer
}
let chosen = ''
/** Chooses the workspace that the next pages are about, unless it still is the chosen one. */
async function choose(workspace: string) {
  if (workspace !== chosen) await open(`/app/w/${workspace}/workspace`)
  chosen = workspace
}
const at = () => splitAddress(new URL(page.url()).pathname).path
const nameOf = (path: string) => path.slice(1).replaceAll('/', '-')

async function consentQuery(): Promise<string> {
  const { api_url } = product.facts
  const redirect_uri = 'http://127.0.0.1/callback'
  const registered = await fetch(`${api_url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Robot <b>bold</b>',
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const { challenge } = pkcePair()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    state: 'x',
    scope: 'read write',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${api_url}/api/mcp`,
  })
  const answer = await fetch(`${api_url}/oauth/authorize?${query}`, { redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '', api_url).search.slice(1)
}

describeWith('chromium')('every page', () => {
  beforeAll(async () => {
    product = await startProduct({
      words: ['--demo'],
      preload: [join(import.meta.dir, '../support/slow-clock.ts')],
      env: { RENOWN_RANGES_MIRROR: 'http://127.0.0.1:9' },
    })
    browser = await startChromium()
    context = await browser.newContext({ reducedMotion: 'reduce' })
    await context.clock.setFixedTime(noon)
    page = await context.newPage()
    watch(page)
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await product?.[Symbol.asyncDispose]()
  })

  test('on the way in', async () => {
    const found: string[] = []
    await open('/app/sign-in')
    found.push(...(await look('sign-in')))
    await page.getByLabel('E-mail address').fill(ownerEmail)
    await page.getByLabel('Password').fill('wrong')
    await press(page, 'Sign in')
    await page.getByRole('alert').waitFor()
    found.push(...(await look('sign-in-fault')))
    await open('/app/link?token=none')
    found.push(...(await look('link-dead')))
    await page.goto(product.facts.owner_link)
    found.push(...(await look('link')))
    await press(page, 'Continue')
    await page.getByRole('button', { name: 'Save and sign in' }).waitFor()
    found.push(...(await look('welcome')))
    await page.getByLabel('E-mail address').fill(ownerEmail)
    await page.getByLabel('New password').fill(ownerPassword)
    await page.getByLabel('Confirm password').fill(ownerPassword)
    await press(page, 'Save and sign in')
    await page.waitForURL((url) => url.pathname !== '/app/welcome')
    expect(found).toEqual([])
  }, 120_000)

  test('gets something to show: people, names and workspaces that strangers chose', async () => {
    const { agency_id } = product.facts
    for (const name of [hostile, rightToLeft, long.slice(0, 200)]) {
      const made = await product.renown('workspace', 'create', name, '--agency-id', agency_id)
      expect(`${made.code} ${made.stderr}`).toStartWith('0')
      clientId ||= /wsp_\w+/.exec(made.stdout)?.[0] ?? ''
    }
    for (const name of [hostile.slice(0, 100), rightToLeft, long.slice(0, 100)]) {
      await open('/app/members')
      await page.getByLabel('Name', { exact: true }).fill(name)
      await press(page, 'Create link')
      await page.getByRole('link', { name: 'I have sent it' }).waitFor()
    }
    expect(await look('members-link')).toEqual([])
    await follow(page, 'I have sent it')
    const link = page.getByRole('link', { name: '<img' })
    memberId = new URL((await link.getAttribute('href')) ?? '', page.url()).searchParams.get('person') ?? ''
    await open('/app/workspace')
    const demo = page.locator('main').getByRole('button', { name: 'Lantern Street' })
    demoId = (await demo.getAttribute('value')) ?? ''
    await choose(demoId)
    await open('/app/visibility/setup')
    const tracker = page.getByRole('rowheader').getByRole('link').first()
    trackerId =
      new URL((await tracker.getAttribute('href')) ?? '', page.url()).searchParams.get('tracker') ?? ''
    await choose(product.facts.workspace_id)
    const token = join(product.dataDir, 'token')
    await Bun.write(token, '1//a-token-of-nobody')
    const of = ['--provider', 'google', '--account-id', 'accounts/111', '--account-name', hostile]
    const about = ['--workspace-id', product.facts.workspace_id, '--token-file', token, '--json']
    const connected = await product.renown('connection', 'add', ...of, ...about)
    connectionId = /con_\w+/.exec(connected.stdout)?.[0] ?? connected.stderr
    await open('/app/key/new')
    await press(page, 'Rotate the key')
    await page.getByRole('link', { name: 'I have saved it' }).waitFor()
    expect(await look('key-shown')).toEqual([])
    await open('/app/domains')
    await page.getByLabel('Host name').fill('reviews.example.com')
    await press(page, 'Add the domain')
    const remove = page.getByRole('link', { name: 'Remove reviews.example.com' })
    domainId = new URL((await remove.getAttribute('href')) ?? '', page.url()).searchParams.get('domain') ?? ''
    expect(`${memberId} ${domainId} ${trackerId}`).toMatch(/^usr_\w+ \w+_\w+ vtr_\w+$/)
  }, 120_000)

  for (const { path, section } of shown)
    test(path, async () => {
      await choose(section || path.startsWith('/oauth/') ? product.facts.workspace_id : demoId)
      const answer = await open(`${path}${(await queries[path]?.()) ?? ''}`)
      // A page that has nothing to say leads to another, which has pictures of its own.
      if (at() !== path && paths.includes(at())) return
      expect(`${at()} ${answer?.status()}`).toBe(`${path} ${statuses[path] ?? 200}`)
      expect(await look(nameOf(path))).toEqual([])
    }, 90_000)

  test.each(declared)(
    '%s, where there is nothing yet',
    async (path) => {
      await choose(product.facts.workspace_id)
      await open(path)
      expect(await look(`${nameOf(path)}-empty`, true)).toEqual([])
    },
    90_000,
  )

  test('of a location: one that is known well, one that is pitched, and a form with a fault', async () => {
    await choose(demoId)
    for (const [view, name, picture] of [
      ['', 'Harbour', 'location-of-demo'],
      ['?view=prospects', '', 'prospect-of-demo'],
    ] as const) {
      await open(`/app/locations${view}`)
      const rows = page.getByRole('rowheader').getByRole('link', { name })
      await rows.first().click()
      await page.waitForURL((url) => url.pathname.endsWith('/locations/one'))
      expect(await look(picture)).toEqual([])
    }
    await choose(product.facts.workspace_id)
    await open(`/app/locations/one?location=${product.facts.location_id}`)
    await page.getByText('Change the profile').click()
    await page.getByLabel('Website').fill(hostile)
    await press(page, 'Save the profile')
    await page.getByRole('alert').waitFor()
    expect(await look('location-fault')).toEqual([])
  }, 120_000)

  test('of proposals: one that waits, and one that failed', async () => {
    await choose(demoId)
    for (const [state, picture] of [
      ['Waits for you', 'proposal-open'],
      ['Failed', 'proposal-failed'],
    ] as const) {
      await open('/app/proposals')
      await page.locator('.panes .list a', { hasText: state }).filter({ hasText: 'Reply' }).click()
      await page.waitForURL((url) => url.searchParams.has('proposal'))
      expect(await look(picture)).toEqual([])
    }
  }, 120_000)

  test('of mentions: the list alone, and a new tracker with a mistake in a keyword', async () => {
    await choose(demoId)
    await open('/app/mentions')
    expect(await look('mentions-list')).toEqual([])
    await choose(product.facts.workspace_id)
    await open('/app/mentions/tracker')
    await page.getByLabel('Keywords', { exact: true }).fill('harbour\n"bakery')
    await page.locator('.mistakes').waitFor()
    expect(await look('tracker-mistake')).toEqual([])
  }, 120_000)

  test('that is none', async () => {
    await choose(product.facts.workspace_id)
    await open('/app/nowhere')
    expect(await look('fault')).toEqual([])
  }, 90_000)

  test('shows the texts of strangers as they are, also of four thousand letters', async () => {
    await open('/app/members')
    expect(await page.getByText('<img src=x').count()).toBeGreaterThan(0)
    await open(`/app/workspace?name=${encodeURIComponent(long)}`)
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    expect(await page.title()).not.toBe('run')
  }, 90_000)

  testWith('a long run')('has a picture for each that there is, and no other', () => {
    expect(staleGolden('pages')).toEqual([])
  })

  test('had nothing to complain of and asked nobody else', () => {
    expect(said).toEqual([])
  })
})
