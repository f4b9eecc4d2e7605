/** @jsxImportSource ../jsx */
import { hydrate, useCallback, useEffect, useRef, useState } from '../jsx/hooks'
import type { JSX } from '../jsx/jsx-runtime'
import { browser, type LinkElement, type PageEvent } from './browser'
import type { PageProps, ServedProps } from './page-props'

type Component = (props: PageProps<unknown>) => JSX.Element | null

/** Takes over what the server rendered. Everything works before, and where this never runs. */
export function mount(Page: Component): void {
  const { document } = browser
  const root = document.getElementById('page')
  const served = document.getElementById('page-props')?.textContent
  if (root && served) hydrate(<Live Page={Page} served={JSON.parse(served)} />, root)
}

function Live({ Page, served }: { Page: Component; served: ServedProps<unknown> }) {
  const [shown, show] = useState(served)
  const [isBusy, setBusy] = useState(false)
  const latest = useRef(0)
  const get = useCallback(
    async (search: string) => {
      const turn = ++latest.current
      setBusy(true)
      const answer = await ask(served.path, search)
      if (turn !== latest.current) return
      setBusy(false)
      if (answer) show((before) => ({ ...before, data: answer.data, search, outcome: null }))
    },
    [served.path],
  )
  const go = useCallback(
    (search: string) => {
      browser.history.pushState(null, '', search === '' ? served.path : `${served.path}?${search}`)
      get(search)
    },
    [get],
  )
  useEffect(() => {
    const back = () => get(browser.location.search.slice(1))
    const click = (event: PageEvent) => {
      const search = ownLink(event, served.path)
      if (search === null) return
      event.preventDefault()
      go(search)
    }
    browser.addEventListener('popstate', back)
    browser.document.addEventListener('click', click)
    return () => {
      browser.removeEventListener('popstate', back)
      browser.document.removeEventListener('click', click)
    }
  }, [go])
  return <Page {...shown} go={go} reload={() => get(shown.search)} isBusy={isBusy} />
}

/** The data of a page. Whoever is no longer signed in is sent to do so; what fails otherwise is left to the next try. */
async function ask(path: string, search: string): Promise<{ data: unknown } | null> {
  const address = `/app/data/${path.slice('/app/'.length)}.json${search && `?${search}`}`
  try {
    const answer = await browser.fetch(address, { redirect: 'manual' })
    if (answer.ok) return { data: await answer.json() }
    if (answer.type === 'opaqueredirect') browser.location.reload()
    else if (answer.status < 500 && answer.status !== 429) browser.location.assign(`${path}?${search}`)
  } catch {}
  return null
}

/** The query of a plain click on a link to this very page with another query. */
function ownLink(event: PageEvent, path: string): string | null {
  const link = event.target.closest('#page a[href]') as LinkElement | null
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
  if (!link || !isPlain || event.defaultPrevented || link.target || link.hash) return null
  const isHere = link.origin === browser.location.origin && link.pathname === path
  return isHere && link.getAttribute('download') === null ? link.search.slice(1) : null
}
