/** @jsxImportSource ../jsx */

import { here, keepWorkspace } from '../browser/addresses'
import { askForData } from '../browser/ask'
import { setShortcuts } from '../browser/keys'
import type { PageProps, ServedProps } from '../browser/page-props'
import { TimeOf } from '../browser/page-time'
import { browser, type LinkElement, type PageEvent } from '../jsx/browser'
import { hydrate, useCallback, useEffect, useRef, useState } from '../jsx/hooks'
import type { JSX } from '../jsx/jsx-runtime'
import { FailedUpdate } from './failed-update'

type Component = (props: PageProps<unknown>) => JSX.Element | null

/** Hydrates a page that the server rendered. The page also works without it. */
export function mount(Page: Component): void {
  const { document } = browser
  const root = document.getElementById('page')
  const served = document.getElementById('page-props')?.textContent
  if (!root || !served) return
  const props = JSON.parse(served) as ServedProps<unknown>
  setShortcuts(props.shortcuts)
  keepWorkspace()
  hydrate(<Live Page={Page} served={props} />, root)
}

/** A request for data that failed. */
interface Failure {
  readonly search: string
  readonly why: string
}

function Live({ Page, served }: { Page: Component; served: ServedProps<unknown> }) {
  const [shown, show] = useState(served)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  /** The query of the shown data, and of the running request. */
  const current = useRef(served.search)
  const pending = useRef<{ readonly search: string; readonly stop: AbortController } | null>(null)
  const { path, language } = served
  const get = useCallback(
    async (search: string) => {
      pending.current?.stop.abort()
      const stop = new AbortController()
      pending.current = { search, stop }
      setBusy(true)
      const answer = await askForData(path, search, stop.signal)
      // Only the answer to the latest request counts, in whatever order answers arrive.
      if (pending.current?.stop !== stop) return
      pending.current = null
      setBusy(false)
      // The address always matches the shown data: it changes when new data arrives, and is restored if the
      // request fails.
      if (answer.kind === 'data') {
        current.current = search
        setAddress(path, search)
        setFailure(null)
        const now = new browser.Date().toISOString()
        show((before) => ({ ...before, data: answer.data, search, outcome: null, now }))
      } else if (answer.kind === 'failed') {
        setAddress(path, current.current)
        setFailure({ search, why: answer.why })
      }
    },
    [path],
  )
  const reload = useCallback(() => get(pending.current?.search ?? current.current), [get])
  useEffect(() => {
    const back = () => get(browser.location.search.slice(1))
    const click = (event: PageEvent) => {
      const search = ownLink(event, path)
      if (search === null) return
      event.preventDefault()
      get(search)
    }
    browser.addEventListener('popstate', back)
    browser.document.addEventListener('click', click)
    return () => {
      browser.removeEventListener('popstate', back)
      browser.document.removeEventListener('click', click)
    }
  }, [get, path])
  return (
    <TimeOf value={{ timezone: shown.workspace.timezone, now: shown.now, language }}>
      {failure && <FailedUpdate why={failure.why} isBusy={isBusy} retry={() => get(failure.search)} />}
      <Page {...shown} go={get} reload={reload} isBusy={isBusy} />
    </TimeOf>
  )
}

function setAddress(path: string, search: string): void {
  const { location } = browser
  const own = here(path)
  if (location.pathname === own && location.search.slice(1) === search) return
  browser.history.pushState(null, '', search === '' ? own : `${own}?${search}`)
}

/** Returns the query of a plain click on a link to the same page, or null. */
function ownLink(event: PageEvent, path: string): string | null {
  const link = event.target.closest('#page a[href]') as LinkElement | null
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
  if (!link || !isPlain || event.defaultPrevented || link.target || link.hash) return null
  const isHere = link.origin === browser.location.origin && link.pathname === here(path)
  return isHere && link.getAttribute('download') === null ? link.search.slice(1) : null
}
