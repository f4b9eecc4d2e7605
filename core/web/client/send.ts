import { browser } from './browser'
import type { Outcome } from './page-props'

/**
 * Sends a form of the page without leaving it. `to` of the answer is where the server would lead; whoever has to give the
 * password first is led there.
 */
export async function sendForm(
  action: string,
  csrf: string,
  fields: Readonly<Record<string, string>>,
): Promise<Outcome & { readonly to?: string }> {
  const answer = await browser.fetch(action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ ...fields, csrf }),
  })
  const outcome = (await answer.json()) as Outcome & { readonly to?: string }
  if (answer.status === 401 && outcome.to) browser.location.assign(outcome.to)
  return outcome
}
