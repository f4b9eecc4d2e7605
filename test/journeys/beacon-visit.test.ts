import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { clickFrom, type Outcome, type Setting, visit } from '../support/beacon-page'
import { startChromium } from '../support/chromium'
import { describeWith } from '../support/needs'

const policy = {
  'content-security-policy':
    "default-src 'none'; script-src https://hits.example.net; connect-src https://hits.example.net",
}
const byAgent = (hits: Outcome['hits']) => hits.toSorted((a, b) => (a.agent < b.agent ? -1 : 1))
const chatGpt = 'https://chatgpt.com/c/a-private-conversation'

describeWith('chromium')('in Chromium, the beacon', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  }, 90_000)
  afterAll(() => browser?.close())
  const seen = (work: (page: Page) => Promise<unknown>, setting?: Setting) => visit(browser, work, setting)
  const open = (address: string) => (page: Page) => page.goto(address)
  const idle = (page: Page) => page.waitForLoadState('networkidle')

  test.concurrent('counts a click from an assistant once, under a strict policy, and not its reload', async () => {
    const { posts, hits, errors } = await seen(
      async (page) => {
        await clickFrom(chatGpt)(page)
        await idle(page)
        await page.reload()
      },
      { siteHeaders: policy },
    )
    expect(posts).toEqual([',https://chatgpt.com/,/pricing'])
    expect(hits).toMatchObject([{ kind: 'visit', agent: 'chatgpt.com', path: '/pricing' }])
    expect(errors).toEqual([])
  }, 90_000)

  test.concurrent('does not count the way back and forth, nor what a page puts into its history itself', async () => {
    const { posts } = await seen(async (page) => {
      await clickFrom(chatGpt)(page)
      await idle(page)
      await page.evaluate('history.pushState({}, "", "/elsewhere"); history.replaceState({}, "", "/again#x")')
      await page.goBack()
      await page.click('#on')
      await page.waitForURL('**/next')
      await page.goBack()
      await idle(page)
      await page.goForward()
      await idle(page)
      await page.goBack()
      await page.goBack()
      await idle(page)
      await page.goForward()
      await idle(page)
    })
    expect(posts).toHaveLength(1)
  }, 90_000)

  test.concurrent('sends nothing after a search, a look-alike, or a page that only names an assistant', async () => {
    const { posts, signals } = await seen(async (page) => {
      for (const address of [
        'https://www.google.com/search',
        'https://evilchatgpt.com/',
        'https://chatgpt.com.evil.example/',
        'https://chatgpt.com-login.example/',
        'https://example.org/?from=https://chatgpt.com/',
        'https://x.com/i/grok',
        'https://bing.com/',
      ])
        await clickFrom(address)(page)
    })
    expect(posts).toEqual([])
    expect(signals.script_found_at).not.toBeNull()
  }, 90_000)

  test.concurrent('counts clicks from below an assistant’s host, at any port, in any case', async () => {
    const { hits } = await seen(async (page) => {
      for (const address of [
        'https://chat.chatgpt.com/',
        'https://www.perplexity.ai/search/x',
        'https://claude.ai:8443/',
        'https://GEMINI.google.com/app',
      ]) {
        await clickFrom(address)(page)
        await idle(page)
      }
    })
    const agents = ['chatgpt.com', 'claude.ai', 'gemini.google.com', 'perplexity.ai']
    expect(byAgent(hits)).toMatchObject(agents.map((agent) => ({ kind: 'visit', agent, path: '/pricing' })))
  }, 90_000)

  test.concurrent('believes utm_source only where there is no referrer', async () => {
    const marked = 'https://www.example.com/a?x=1&utm_source='
    const { hits, posts } = await seen(async (page) => {
      const from = async (address: string, to: string) => {
        await page.goto(address)
        await page.evaluate(`location.href = "${to}"`)
        await page.waitForSelector('h1')
        await idle(page)
      }
      for (const source of ['newsletter', 'evilchatgpt.com', 'chatgpt.com.evil.example', ''])
        await open(marked + source)(page)
      await from('https://blog.example.org/', `${marked}chatgpt.com`)
      await from('https://claude.ai/', `${marked}chatgpt.com`)
      await open(`${marked}chatgpt.com`)(page)
      await idle(page)
      await open(`${marked}ChatGPT`)(page)
    })
    expect(posts).toEqual([',https://claude.ai/,/a', ',//chatgpt.com/,/a', ',//ChatGPT/,/a'])
    expect(byAgent(hits)).toMatchObject(
      ['chatgpt.com', 'chatgpt.com', 'claude.ai'].map((agent) => ({ agent, path: '/a' })),
    )
  }, 90_000)

  test.concurrent('sends nothing for a direct visit, nor where the link hides the referrer', async () => {
    for (const linkAttributes of ['rel="noreferrer"', 'referrerpolicy="no-referrer"']) {
      const { posts, signals } = await seen(
        async (page) => {
          await open('https://www.example.com/pricing')(page)
          await clickFrom(chatGpt)(page)
        },
        { linkAttributes },
      )
      expect(posts).toEqual([])
      expect(signals.script_found_at).not.toBeNull()
    }
  }, 90_000)

  test.concurrent('counts on a site that itself sends no referrer anywhere', async () => {
    const { hits } = await seen(clickFrom(chatGpt), { siteHeaders: { 'referrer-policy': 'no-referrer' } })
    expect(hits).toMatchObject([{ agent: 'chatgpt.com' }])
  }, 90_000)

  test.concurrent('sends nothing for somebody who asks for it, nor for a program', async () => {
    const property = (name: string, value: string) =>
      `Object.defineProperty(navigator, "${name}", { value: ${value} })`
    for (const setting of [
      { init: property('globalPrivacyControl', 'true') },
      { init: property('doNotTrack', '"1"') },
      {
        isDriven: true,
        init: 'Object.defineProperty(Navigator.prototype, "webdriver", { get: () => true })',
      },
    ])
      expect((await seen(clickFrom(chatGpt), setting)).posts).toEqual([])
  }, 90_000)

  test.concurrent('that a policy forbids breaks nothing on the page', async () => {
    for (const forbidden of [
      "script-src 'self'",
      "script-src https://hits.example.net; connect-src 'none'",
    ]) {
      const { posts, errors } = await seen(clickFrom(chatGpt), {
        siteHeaders: { 'content-security-policy': forbidden },
      })
      expect([posts, errors]).toEqual([[], []])
    }
  }, 90_000)

  test.concurrent('works from the site’s own address, and posts there', async () => {
    const own = { script: '/s/key1.js', siteHeaders: { 'content-security-policy': "default-src 'self'" } }
    const { posts, hits, signals } = await seen(clickFrom(chatGpt), own)
    expect(posts).toEqual([',https://chatgpt.com/,/pricing'])
    expect(hits).toMatchObject([{ agent: 'chatgpt.com', path: '/pricing' }])
    expect(signals.script_found_at).not.toBeNull()
  }, 90_000)

  test.concurrent('tells an install page that it was found and tried, and counts neither', async () => {
    const { posts, hits, signals } = await seen(open('https://www.example.com/a?renown_check=nonce-1'))
    expect([posts, hits]).toEqual([['nonce-1,,/a'], []])
    expect(signals).toEqual({
      script_found_at: expect.any(String),
      test_visits: [{ nonce: 'nonce-1', path: '/a', at: expect.any(String) }],
      lines: { accepted: 0, ignored: 0, rejected: 0, duplicate: 0, by_reason: [] },
    })
    const untried = await seen(open('https://www.example.com/a'))
    expect(untried.signals).toMatchObject({ script_found_at: expect.any(String), test_visits: [] })
  }, 90_000)
})
