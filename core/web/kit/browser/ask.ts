import { browser } from '../jsx/browser'
import { here, openPage } from './addresses'

/** The result of a request for a page's data. `left`: the browser is opening another page. */
export type DataAnswer =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'left' }
  | { readonly kind: 'failed'; readonly why: string }

/** Time limit of an answer. */
const patienceMs = 30_000

const lost = 'The connection was lost, or the server did not answer in time.'

/** Fetches the data of a page. Redirects people to the sign-in when they are no longer signed in. */
export async function askForData(path: string, search: string, signal: AbortSignal): Promise<DataAnswer> {
  const address = `/app/data/${path.slice('/app/'.length)}.json${search && `?${search}`}`
  const stop = new AbortController()
  const end = () => stop.abort()
  signal.addEventListener('abort', end)
  const timer = browser.setTimeout(end, patienceMs)
  try {
    const answer = await browser.fetch(here(address), { redirect: 'manual', signal: stop.signal })
    if (answer.ok) return { kind: 'data', data: await answer.json() }
    if (answer.status >= 500 || answer.status === 429)
      return { kind: 'failed', why: `The server answered ${answer.status}.` }
    openPage(search === '' ? path : `${path}?${search}`)
    return { kind: 'left' }
  } catch {
    return { kind: 'failed', why: lost }
  } finally {
    browser.clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}
