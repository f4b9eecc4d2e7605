import type { Page } from 'playwright-core'
import { ownerEmail, ownerPassword } from './person'
import { press } from './press'

/** Signs the owner in by a one-time link in a real browser, which is where a password is chosen. */
export async function signInByLink(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await press(page, 'Continue')
  await page.getByLabel('E-mail address').fill(ownerEmail)
  await page.getByLabel('New password').fill(ownerPassword)
  await page.getByLabel('Confirm password').fill(ownerPassword)
  await press(page, 'Save and sign in')
}
