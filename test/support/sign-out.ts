import type { Page } from 'playwright-core'

/** What opens the account menu: in the side bar, or on phones in the bottom bar. Only somebody who is signed in has it. */
export const accountMenu = (page: Page) => page.locator(':is(.me, .more) > summary:visible')

/** Signs out as a person does: from the account menu. */
export async function signOut(page: Page): Promise<void> {
  await accountMenu(page).click()
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
}
