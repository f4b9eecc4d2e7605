import type { Page } from 'playwright-core'
import { press } from './press'

/** What opens the account menu: in the side bar, or on phones in the bottom bar. Only somebody who is signed in has it. */
export const accountMenu = (page: Page) => page.locator(':is(.me, .more) > summary:visible')

/** Signs out as a person does: from the account menu. */
export async function signOut(page: Page): Promise<void> {
  await accountMenu(page).click()
  await press(page, 'Sign out', { exact: true })
}
