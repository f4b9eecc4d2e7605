/**
 * Keeps in the browser what a person types next to a list, until the server has it. Another row, the end of the session, a refusal
 * and a reload lose nothing.
 */
import type { ListElement, ListPage } from './browser-page'

declare const document: ListPage
declare const localStorage: {
  readonly length: number
  key(at: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

declare const window: { readonly Date: new () => { getTime(): number } }

/** A typed text, the text that the field had before, and when it was typed. */
interface Typed {
  readonly text: string
  readonly base: string
  readonly at: number
}

const now = () => new window.Date().getTime()
const prefix = 'renown.typed:'
const daysMax = 30
const textsMax = 100
const fields = 'textarea, input:not([type]), input[type=text], input[type=url], input[type=search]'

/** Returns where the text of a field is kept. Null if it is not in a form next to a list. */
function keyOf(field: ListElement): string | null {
  const { form } = field
  const entry = field.closest('[data-entry]')?.dataset.entry
  const person = document.body.dataset.person
  if (!form || entry === undefined || person === undefined || field.name === '') return null
  return `${prefix}${person}:${new URL(form.action).pathname}:${entry}:${field.name}`
}

const fieldsOf = (around: ListElement) =>
  [...around.querySelectorAll(fields)].filter((field) => field.matches('main [data-entry] form *'))

/** The browser may refuse to keep anything. The page then asks before a text is lost. */
function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

const read = (key: string): Typed | null =>
  attempt(() => {
    const [at = '', base = '', text = ''] = (localStorage.getItem(key) ?? '')
      .split('\n')
      .map(decodeURIComponent)
    return at === '' ? null : { at: Number(at), base, text }
  })

const write = (key: string, { at, base, text }: Typed) =>
  attempt(() => {
    localStorage.setItem(key, [String(at), base, text].map(encodeURIComponent).join('\n'))
    return true
  })

const forget = (key: string) => attempt(() => localStorage.removeItem(key))

function keysOfAll(): string[] {
  const keys =
    attempt(() => Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at))) ?? []
  return keys.filter((key): key is string => key?.startsWith(prefix) ?? false)
}

/** Forgets old texts, and the oldest of too many. */
function tidy(): void {
  const oldest = now() - daysMax * 24 * 3_600 * 1_000
  const all = keysOfAll()
    .map((key) => ({ key, at: read(key)?.at ?? 0 }))
    .toSorted((a, b) => b.at - a.at)
  for (const [place, { key, at }] of all.entries()) if (at < oldest || place >= textsMax) forget(key)
}

/** The page asks before a text is lost that the browser does not keep. */
function sayWhetherItKeeps(does: boolean | null): void {
  if (does) document.documentElement.dataset.keeps = ''
  else delete document.documentElement.dataset.keeps
}

document.addEventListener('input', ({ target }) => {
  const key = target.matches(fields) ? keyOf(target) : null
  if (key === null) return
  const base = target.dataset.base ?? target.defaultValue
  if (target.value === base) forget(key)
  else sayWhetherItKeeps(write(key, { text: target.value, base, at: now() }))
})

document.addEventListener('renown:accepted', ({ detail: form }) => {
  for (const field of form ? Array.from(form.elements) : []) {
    const key = keyOf(field)
    if (key !== null) forget(key)
  }
})

// Another person who uses the browser must not find the texts.
document.addEventListener('submit', ({ target }) => {
  if (target.matches('form[action$="/app/sign-out"]')) for (const key of keysOfAll()) forget(key)
})

/** Puts kept texts back into their fields. A field that has another text since then keeps it, and offers the typed one. */
function restore(): void {
  for (const field of fieldsOf(document.body)) {
    const key = keyOf(field)
    const typed = key === null ? null : read(key)
    // A refusal shows the typed text. What the server has is still the text before it.
    if (typed?.text === field.defaultValue) field.dataset.base = typed.base
    if (key === null || typed === null || typed.text === field.value) continue
    const isSame = typed.base === field.defaultValue
    const before = field.value
    if (isSame) field.value = typed.text
    const { restored = '', other = '', discard = '', use = '' } = document.body.dataset
    const hint = document.createElement('p')
    hint.className = 'hint'
    hint.setAttribute('role', 'status')
    const offer = (words: string, work: () => void) => {
      const button = document.createElement('button')
      button.className = 'button quiet'
      button.setAttribute('type', 'button')
      button.replaceChildren(words)
      button.addEventListener('click', () => {
        work()
        hint.remove()
        field.focus({ preventScroll: true })
      })
      return button
    }
    const drop = offer(discard, () => {
      field.value = before
      forget(key)
    })
    const take = offer(use, () => {
      field.value = typed.text
    })
    hint.replaceChildren(isSame ? restored : other, ' ', ...(isSame ? [] : [take]), drop)
    field.after(hint)
  }
}

document.addEventListener('renown:shown', restore)
tidy()
sayWhetherItKeeps(write(prefix, { text: '', base: '', at: 0 }))
forget(prefix)
restore()
