/** @jsxImportSource renown/web */
import { browser, Notice, Row, sendForm, useEffect, useState } from 'renown/web'
import type { InstallSite } from './installPage'
import type { ShownLook } from './look-form'

/** How long the page waits for a visit before it checks the site. */
const patienceMs = 6_000

const lost = 'The connection was lost, or the server did not answer in time.'

interface Asked {
  /** Whether somebody opened the site and no visit was reported yet. */
  readonly isWaiting: boolean
  readonly path: string
  readonly csrf: string
  readonly site: InstallSite
}

/** The state of the check that the page starts automatically. */
export interface AutomaticLook {
  readonly found: ShownLook | null
  /** Why there is no result. Null if nothing failed. */
  readonly fault: string | null
  readonly isBusy: boolean
  retry(): void
}

/** Checks the site if no visit was reported in time. */
export function useAutomaticLook({ isWaiting, path, csrf, site }: Asked): AutomaticLook {
  const [found, setFound] = useState<ShownLook | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    const fields = { site: site.id, address: site.page }
    const answer = await sendForm(`${path}/look`, csrf, fields).catch(() => null)
    setBusy(false)
    setFault(answer?.ok ? null : (answer?.fault ?? lost))
    if (answer?.ok) setFound(answer.shown as ShownLook)
  }
  useEffect(() => {
    setFault(null)
    if (!isWaiting) return
    const timer = browser.setTimeout(look, patienceMs)
    return () => browser.clearTimeout(timer)
  }, [isWaiting, path, csrf, site.id, site.page])
  return { found, fault, isBusy, retry: look }
}

/** Shows that the check failed, with a button to try again. */
export const LookFault = ({ fault, isBusy, retry }: AutomaticLook) =>
  fault === null ? null : (
    <Notice tone="bad" title="Your site could not be checked">
      <p>{fault}</p>
      <Row>
        <button type="button" class="button plain" onClick={retry} disabled={isBusy}>
          {isBusy ? 'Trying again…' : 'Retry'}
        </button>
      </Row>
    </Notice>
  )
