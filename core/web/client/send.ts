import { browser } from './browser'
import type { Outcome } from './page-props'

/** Sends a form of the page without leaving it. `to` of the answer is where the server would have led. */
export async function sendForm(
  action: string,
  csrf: string,
  fields: Readonly<Record<string, string>>,
): Promise<Outcome & { readonly to?: string }> {
  const answer = await browser.fetch(action, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ ...fields, csrf }),
  })
  if (answer.type === 'opaqueredirect') {
    browser.location.reload()
    return { action, ok: false, fault: 'Sign in again to go on.' }
  }
  return (await answer.json()) as Outcome
}
