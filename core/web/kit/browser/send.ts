import { browser } from '../jsx/browser'
import { here, openPage } from './addresses'
import type { Outcome } from './page-props'

/** Time limit of an answer. */
const patienceMs = 60_000

/**
 * Sends a form of the page without leaving it. `to` of the answer is the address of the redirect. People who
 * must enter the password first are redirected there. Rejects if the connection is lost, or if no answer
 * comes within a minute.
 */
export async function sendForm(
  action: string,
  csrf: string,
  fields: Readonly<Record<string, string>>,
): Promise<Outcome & { readonly to?: string }> {
  const stop = new AbortController()
  const timer = browser.setTimeout(() => stop.abort(), patienceMs)
  try {
    const answer = await browser.fetch(here(action), {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ ...fields, csrf }),
      signal: stop.signal,
    })
    const outcome = (await answer.json()) as Outcome & { readonly to?: string }
    if (answer.status === 401 && outcome.to) openPage(outcome.to)
    return outcome
  } finally {
    browser.clearTimeout(timer)
  }
}
