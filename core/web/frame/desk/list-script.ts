/**
 * Swaps the row next to a list without loading the page again, so that the list stays where it is. Without this script, the
 * links and forms of a list load pages.
 */
import type { ListElement, ListEvent, ListPage } from './browser-page'

declare const document: ListPage
declare const location: {
  readonly href: string
  readonly origin: string
  readonly pathname: string
  assign(url: string): void
}
declare const history: { pushState(state: null, unused: '', url: string): void }
declare const scrollY: number
declare const DOMParser: new () => { parseFromString(text: string, type: 'text/html'): ListPage }
declare const FormData: new (form: ListElement, button: ListElement | null) => Iterable<[string, string]>
declare const CustomEvent: new (name: string, about: { readonly detail: unknown }) => unknown
declare function scrollTo(where: { top: number; behavior: 'instant' }): void
declare function matchMedia(query: string): { readonly matches: boolean }
declare function addEventListener(name: 'popstate', listener: () => void): void

/** An answer, as a page. */
interface Answered {
  readonly page: ListPage
  readonly address: string
  readonly isRedirected: boolean
  readonly isAccepted: boolean
}

const panes = (page: ListPage = document) => page.querySelector('main .panes:not(.single)')
const detailOf = (around: ListElement | null) =>
  [...(around ? Array.from(around.children) : [])].find((part) => part.matches('.detail, .unchosen'))
const isShown = () => panes() !== null && !document.querySelector('#page')
const chosenRow = () => document.querySelector('main .panes [data-list] a[aria-current]')
const pathOf = (address: string) => new URL(address, location.href).pathname

/** The running request. Only the answer to the latest one counts. */
let running: AbortController | null = null
/** Where a phone showed the list before its row. */
let listTop = 0

async function request(address: string, body?: URLSearchParams): Promise<Answered | null> {
  running?.abort()
  const own = new AbortController()
  running = own
  panes()?.setAttribute('aria-busy', 'true')
  const answer = await fetch(address, {
    headers: { accept: 'text/html' },
    signal: own.signal,
    ...(body ? { method: 'POST', body } : {}),
  })
  const text = await answer.text()
  if (running !== own) return null
  panes()?.removeAttribute('aria-busy')
  return {
    page: new DOMParser().parseFromString(text, 'text/html'),
    address: answer.url,
    isRedirected: answer.redirected,
    isAccepted: answer.ok,
  }
}

/** Shows the row of an address. `isBack`: the address is that of the browser already. */
async function open(address: string, isBack = false): Promise<void> {
  try {
    const answer = await request(address)
    if (!answer) return
    if (pathOf(answer.address) !== location.pathname || !answer.isAccepted) return location.assign(address)
    if (!isBack && answer.address !== location.href) history.pushState(null, '', answer.address)
    const before = chosenRow()
    show(answer.page)
    if (chosenRow()) detailOf(panes())?.focus({ preventScroll: true })
    else before?.focus({ preventScroll: true })
  } catch {
    if (running?.signal.aborted !== true) location.assign(address)
  }
}

/** Sends a form of the list. What the answer shows takes the place of the row, or of the whole page if it has no list. */
async function send(form: ListElement, button: ListElement | null): Promise<void> {
  const action = button?.hasAttribute('formaction') ? button.formAction : form.action
  const body = new URLSearchParams([...new FormData(form, button)])
  const focused = placeOf(document.activeElement)
  const isWriting = form.querySelector('textarea') !== null
  const before = chosenRow()?.getAttribute('href')
  let answer: Answered | null
  try {
    answer = await request(action, body)
  } catch {
    if (running?.signal.aborted) return
    panes()?.removeAttribute('aria-busy')
    return tell(document.body.dataset.lost ?? '')
  }
  if (!answer) return
  const { page, address, isRedirected, isAccepted } = answer
  // The page that asks for the password keeps the form. It is a page of its own, so the browser sends the form again.
  if (page.querySelector('form[action$="/app/confirm"]')) return form.submit()
  // After the end of the session, the same address leads to the sign-in, and back.
  if (isRedirected && pathOf(address) !== location.pathname) return location.assign(location.href)
  if (!page.querySelector('main') || (!isAccepted && !panes(page)))
    return tell(document.body.dataset.lost ?? '')
  if (isAccepted) document.dispatchEvent(new CustomEvent('renown:accepted', { detail: form }))
  if (isRedirected && address !== location.href) history.pushState(null, '', address)
  show(page)
  const isSame = chosenRow()?.getAttribute('href') === before
  focusAfter(isSame ? focused : null, isWriting)
}

/** The place of a field or button among those of its form. */
const placeOf = (element: ListElement | null) => {
  const form = element?.closest('form')
  return form && element ? { action: form.action, at: [...Array.from(form.elements)].indexOf(element) } : null
}

/** Moves the focus to the same field of the same row, to the reply of the next one, or to the row. */
function focusAfter(place: ReturnType<typeof placeOf>, isWriting: boolean): void {
  const detail = detailOf(panes())
  const form = [...(detail?.querySelectorAll('form') ?? [])].find(({ action }) => action === place?.action)
  const same = place && form?.elements[place.at]
  const reply = isWriting && !place ? detail?.querySelector('[data-key=r] textarea') : null
  const goal = same ?? reply ?? detail ?? document.querySelector('main')
  goal?.focus({ preventScroll: true })
}

/** Shows another state of the page: the row next to the list, and the rows that changed. */
function show(page: ListPage): void {
  const old = panes()
  const now = panes(page)
  const main = document.querySelector('main')
  const next = page.querySelector('main')
  document.title = page.title
  if (!old || !now || old.dataset.back !== now.dataset.back) {
    if (main && next) main.replaceChildren(...Array.from(next.children))
  } else {
    const isPhone = matchMedia('(max-width: 63.99rem)').matches
    const wasChosen = old.matches('.chosen')
    if (isPhone && !wasChosen) listTop = scrollY
    const said = newNotices(page)
    old.className = now.className
    showDetail(old, now, said)
    showRows(old, now)
    around(page)
    if (isPhone && wasChosen !== now.matches('.chosen'))
      scrollTo({ top: wasChosen ? listTop : 0, behavior: 'instant' })
  }
  document.dispatchEvent(new CustomEvent('renown:shown', { detail: document.body }))
}

function showDetail(old: ListElement, now: ListElement, said: readonly ListElement[]): void {
  const before = detailOf(old)
  const next = detailOf(now)
  if (next) next.prepend(...said)
  if (before && next) before.replaceWith(next)
  else if (next) old.append(next)
  else before?.remove()
}

const rowsOf = (list: ListElement) => Array.from(list.children)
const keyOf = (row: ListElement) => row.dataset.row ?? ''

/** Changes only the rows that changed, so that the others keep their place, their box and the focus. */
function showRows(old: ListElement, now: ListElement): void {
  const list = old.querySelector('[data-list]')
  const wanted = now.querySelector('[data-list]')
  if (!list || !wanted) return
  const rows = rowsOf(wanted)
  const keys = new Set(rows.map(keyOf))
  for (const row of rowsOf(list)) if (!keys.has(keyOf(row))) row.remove()
  for (const [place, row] of rows.entries()) {
    const here = rowsOf(list)[place] ?? null
    const same = here && keyOf(here) === keyOf(row) ? here : null
    if (!same) {
      for (const other of rowsOf(list)) if (keyOf(other) === keyOf(row)) other.remove()
      list.insertBefore(row, rowsOf(list)[place] ?? null)
    } else if (same.outerHTML !== row.outerHTML) replaceRow(same, row)
  }
  const side = list.parentElement
  const nextSide = wanted.parentElement
  if (!side || !nextSide) return
  for (const part of rowsOf(side)) if (part !== list) part.remove()
  side.append(...rowsOf(nextSide).filter((part) => part !== wanted))
}

/** Replaces a row that changed. It keeps the focus and stays ticked. */
function replaceRow(old: ListElement, now: ListElement): void {
  const hasFocus = old.contains(document.activeElement)
  const box = now.querySelector('[data-choose]')
  if (box) box.checked = old.querySelector('[data-choose]')?.checked ?? false
  old.replaceWith(now)
  if (hasFocus) now.querySelector('a')?.focus({ preventScroll: true })
}

/** Returns the notices outside of the row that the page did not have before. */
function newNotices(page: ListPage): ListElement[] {
  const outside = (one: ListElement) => !one.closest('.panes')
  const all = (of: ListPage) => [...of.querySelectorAll('main .notice')].filter(outside)
  const known = new Set(all(document).map(({ textContent }) => textContent))
  return all(page).filter(({ textContent }) => !known.has(textContent))
}

/** Shows the messages, numbers and headings around the list. */
function around(page: ListPage): void {
  for (const one of document.querySelectorAll('main .toasts')) one.remove()
  const toasts = [...page.querySelectorAll('main .toasts')]
  document.querySelector('main')?.append(...toasts)
  for (const selector of ['.side > nav', '.bottom', 'main .head', 'main .tabs']) {
    const old = document.querySelector(selector)
    const now = page.querySelector(selector)
    if (old && now && old.outerHTML !== now.outerHTML) old.replaceWith(now)
  }
}

/** Says above the row what went wrong. */
function tell(words: string): void {
  const notice = document.createElement('div')
  notice.className = 'notice bad'
  notice.setAttribute('role', 'alert')
  notice.replaceChildren(words)
  detailOf(panes())?.prepend(notice)
  notice.scrollIntoView({ block: 'nearest' })
}

const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: ListEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || !isPlain(event) || !isShown()) return
  const link = event.target.closest('main .panes [data-list] a[href], main .panes > .detail a[href]')
  if (link?.target !== '' || link.hasAttribute('download')) return
  if (link.origin !== location.origin || link.pathname !== location.pathname) return
  event.preventDefault()
  void open(link.href)
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented || form.method !== 'post' || !form.closest('main .panes, main .toasts')) return
  if (!isShown() || form.enctype === 'multipart/form-data') return
  event.preventDefault()
  void send(form, event.submitter)
})

addEventListener('popstate', () => {
  if (isShown()) void open(location.href, true)
})

// Ctrl+Enter sends the text that a person writes next to a list, by the button that sends it.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return
  const area = event.target.closest('main .panes > .detail textarea')
  const form = area?.closest('form')
  const button = form?.querySelector('[data-send] button, button[data-send]')
  if (!form || !button) return
  event.preventDefault()
  form.requestSubmit(button)
})
