import type { Locator, Page } from 'playwright-core'
import { patienceMs } from './chromium'

interface Naming {
  readonly exact?: boolean
}

/**
 * Clicks, and waits until the page to which the click leads has loaded. A click alone returns while the old page can still be
 * shown, so what is read next may come from either page, and the next `goto` may cancel the request.
 */
export async function navigateBy(target: Locator): Promise<void> {
  const page = target.page()
  await Promise.all([
    page.waitForEvent('framenavigated', {
      predicate: (frame) => frame === page.mainFrame(),
      timeout: patienceMs,
    }),
    target.click(),
  ])
  await page.waitForLoadState('load', { timeout: patienceMs })
}

/** Clicks the button of a form, and waits until the page of its answer has loaded. */
export const press = (page: Page, name: string | RegExp, naming: Naming = {}): Promise<void> =>
  navigateBy(page.getByRole('button', { name, ...naming }))

/** Clicks a link, and waits until its page has loaded. */
export const follow = (page: Page, name: string | RegExp, naming: Naming = {}): Promise<void> =>
  navigateBy(page.getByRole('link', { name, ...naming }))

/**
 * Clicks a button or a link whose click leaves the page as it is or changes it by a script. Wait for what it changes before you read
 * it.
 */
export const clickAndStay = (
  page: Pick<Page, 'getByRole'>,
  role: 'button' | 'link',
  name: string | RegExp,
  naming: Naming = {},
): Promise<void> => page.getByRole(role, { name, ...naming }).click()
