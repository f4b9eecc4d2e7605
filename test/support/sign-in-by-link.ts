import type { Page } from 'playwright-core'
import { ownerEmail, ownerPassword } from './person'

/** Signs the owner in by a one-time link in a real browser, which is where a password is chosen. */
export async function signInByLink(page: Page, link: string): Promise<void> {
  const press = (name: string) => page.getByRole('button', { name }).click()
  await page.goto(link)
  await press('Continue')
  await page.getByLabel('E-mail address').fill(ownerEmail)
  await page.getByLabel('New password').fill(ownerPassword)
  await page.getByLabel('Confirm password').fill(ownerPassword)
  await press('Save and sign in')
  await page.waitForURL(({ pathname }) => !/^\/app\/(link|welcome)$/.test(pathname))
}
