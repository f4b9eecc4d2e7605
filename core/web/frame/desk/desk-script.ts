/**
 * The script of the frame. Everything also works without it. It is sent as written here, without types, so it
 * imports nothing.
 */
interface Element {
  readonly children: ArrayLike<Element>
  readonly dataset: Record<string, string | undefined>
  readonly textContent: string
  readonly href: string
  readonly isContentEditable: boolean
  hidden: boolean
  open: boolean
  value: string
  readonly defaultValue: string
  checked: boolean
  innerHTML: string
  closest(selector: string): Element | null
  contains(other: Element): boolean
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<Element>
  cloneNode(deep: true): Element
  replaceChildren(...nodes: Element[]): void
  remove(): void
  focus(): void
  click(): void
  matches(selector: string): boolean
  scrollIntoView(how: { block: 'nearest'; inline: 'center' }): void
  showModal(): void
  close(): void
  addEventListener(type: string, listener: (event: DeskEvent) => void): void
}
interface DeskEvent {
  readonly target: Element
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  readonly defaultPrevented: boolean
  readonly isComposing: boolean
  readonly dataTransfer: { setData(type: string, data: string): void } | null
  preventDefault(): void
}
declare const document: Element & {
  readonly documentElement: Element
  readonly body: Element
  readonly referrer: string
}
declare const location: { readonly origin: string; reload(): void; assign(url: string): void }
declare const history: { replaceState(state: null, unused: '', url: string): void }

const menus = () => [...document.querySelectorAll('details[data-menu][open]')]
const switcher = document.querySelector('[data-switcher]')
const search = switcher?.querySelector('input[type=search]')
const help = document.querySelector('dialog[data-help]')
const ownKeys =
  'input, select, textarea, summary, [contenteditable], [data-keys], [role=application], [role=grid], [role=listbox], [role=menu], [role=radiogroup], [role=slider], [role=tablist], [role=tree]'

document.addEventListener('click', ({ target }) => {
  for (const menu of menus()) if (!menu.contains(target)) menu.open = false
})

/** The browser keeps what is typed next to a list. */
const isKept = (area: Element) =>
  document.documentElement.dataset.keeps !== undefined && area.closest('[data-entry]') !== null

// Asks before text that was typed into another form is lost, because a form sends only its own fields.
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented) return
  const isTyped = [...document.querySelectorAll('main form textarea')].some(
    (area) => !event.target.contains(area) && !isKept(area) && area.value !== area.defaultValue,
  )
  if (isTyped && !confirm(document.body.dataset.unsaved ?? '')) event.preventDefault()
})

// Boxes that choose the rows of a list. With Shift, all rows between the last box and this one.
let lastBox: Element | null = null
const boxes = () => [...document.querySelectorAll('main [data-choose]')]
const hasChosen = () => document.querySelector('main [data-choose]:checked') !== null
document.addEventListener('click', ({ target, shiftKey }) => {
  if (target.matches('[data-choose-all]')) for (const box of boxes()) box.checked = target.checked
  if (!target.matches('[data-choose]')) return
  const all = boxes()
  const [from = -1, to = -1] = [all.indexOf(target), lastBox ? all.indexOf(lastBox) : -1].toSorted(
    (a, b) => a - b,
  )
  if (shiftKey && from >= 0) for (const box of all.slice(from, to + 1)) box.checked = target.checked
  lastBox = target
})

// Filters the listed workspaces while the person types. Enter searches all workspaces on the server.
search?.addEventListener('input', () => {
  const wanted = search.value.trim().toLowerCase()
  for (const choice of switcher?.querySelectorAll('button[name=workspace]') ?? [])
    choice.hidden = !choice.textContent.toLowerCase().includes(wanted)
})

help?.querySelector('[data-close]')?.addEventListener('click', () => help.close())

const showHelp = () => {
  if (!help) return
  const lists = [...document.querySelectorAll('main [data-key-hints] dl')].map((list) => list.cloneNode(true))
  help.querySelector('[data-page-keys]')?.replaceChildren(...lists)
  help.showModal()
}

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  if (event.defaultPrevented || event.isComposing) return
  if ((event.ctrlKey || event.metaKey) && !event.altKey && key.toLowerCase() === 'k' && switcher) {
    event.preventDefault()
    switcher.open = true
    search?.focus()
    return
  }
  if (key === 'Escape') {
    const open = menus()
    if (open.length === 0 && leave(target)) event.preventDefault()
    for (const menu of open) {
      menu.open = false
      if (menu.contains(target)) menu.querySelector('summary')?.focus()
    }
    return
  }
  // The page contains the dialog only if the person turned single-key shortcuts on.
  if (!help || help.open || event.ctrlKey || event.metaKey || event.altKey || target.closest(ownKeys)) return
  const work = workOf(key, target)
  if (!work) return
  event.preventDefault()
  work()
})

/** Returns what a single key does: on every page, in a list, or at a button that names the key. */
function workOf(key: string, target: Element): (() => void) | null {
  if (key === '?') return showHelp
  if (key === '/') {
    const field = document.querySelector('main input[type=search], main [data-search]')
    return field && (() => field.focus())
  }
  if (key === 'j' || key === 'k') {
    const by = key === 'j' ? 1 : -1
    // In an open row, the keys open the next one. In the list, they only move.
    if (target.closest('.detail')) {
      const row = neighbour(by, (one) => one.matches('[aria-current]'))
      return row && (() => row.click())
    }
    const row = nextRow(by, target)
    return row && (() => row.focus())
  }
  if (key === 'c') {
    const box = rowOf(target)?.querySelector('[data-choose]')
    if (box) return () => box.click()
  }
  // The acts on several rows come first in the page. They have their keys once a row is chosen.
  for (const one of document.querySelectorAll('main [data-key]')) {
    if (one.dataset.key !== key || (one.closest('[data-several]') && !hasChosen())) continue
    const field = one.querySelector('textarea')
    if (field) return () => field.focus()
    const button = one.querySelector('button, a')
    if (button) return () => button.click()
  }
  return null
}

/** Returns the row that has the focus, or the one that is selected. */
const rowOf = (target: Element): Element | null =>
  target.closest('li, tr') ??
  document.querySelector('main [data-list] a[aria-current]')?.closest('li') ??
  null

/** Escape chooses no row any more, or goes back to the list. Returns whether it did. */
function leave(target: Element): boolean {
  const row = target.closest('.detail')
  if (row && target.matches('textarea')) {
    row.focus()
    return true
  }
  if (!help || help.open || target.closest(ownKeys.replace('input, ', 'input:not([data-choose]), ')))
    return false
  if (hasChosen()) {
    for (const box of boxes()) box.checked = false
    return true
  }
  const back = document.querySelector('main .panes .back')
  back?.click()
  return back !== null
}

const rows = () =>
  [...document.querySelectorAll('main [data-list] li, main [data-list] tbody tr')]
    .map((line) => line.querySelector('a'))
    .filter((row) => row !== null)

function neighbour(by: number, isHere: (row: Element) => boolean): Element | null {
  const all = rows()
  const at = all.findIndex(isHere)
  return at < 0 ? (all[0] ?? null) : (all[at + by] ?? null)
}

/**
 * Returns the row before or after the focused one. If no row has the focus, returns the selected row or the
 * first.
 */
function nextRow(by: number, target: Element): Element | null {
  const all = rows()
  if (all.some((row) => row.contains(target))) return neighbour(by, (row) => row.contains(target))
  return all.find((row) => row.matches('[aria-current]')) ?? all[0] ?? null
}

// A page that answers a form is at the address of the form. A reload would send the form again, so the address becomes
// that of the page which the form was on.
if (
  document.body.dataset.formAnswer !== undefined &&
  URL.parse(document.referrer)?.origin === location.origin
)
  history.replaceState(null, '', document.referrer)

// A page that shows how far something is.
const reload = document.querySelector('main [data-reload]')
if (reload) setTimeout(() => location.reload(), Number(reload.dataset.reload) * 1_000)

// On phones, the tabs of the settings are wider than the screen.
document.querySelector('.within [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })

/** A message with Undo disappears after 8 s, unless it has the focus or the pointer. */
function endMessages(): void {
  for (const toast of document.querySelectorAll('[data-toast]:not([data-ending])')) {
    const leave = () =>
      toast.querySelector(':hover, :focus-within, :focus') ? setTimeout(leave, 2_000) : toast.remove()
    toast.dataset.ending = ''
    setTimeout(leave, 8_000)
  }
}
endMessages()
document.addEventListener('renown:shown', endMessages)
