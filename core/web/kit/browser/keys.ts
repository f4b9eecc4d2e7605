import { browser, type PageEvent } from '../jsx/browser'
import { useEffect, useRef } from '../jsx/hooks'

/** Whether this person turned on single-key shortcuts. The served page says so. */
let isOn = false

/** Turns the shortcuts of this page on or off. */
export function setShortcuts(on: boolean): void {
  isOn = on
}

/** Elements in which people type, or that use keys themselves. */
const ownKeys =
  'input, select, textarea, summary, [contenteditable], [data-keys], [role=application], [role=grid], [role=listbox], [role=menu], [role=menubar], [role=radiogroup], [role=slider], [role=spinbutton], [role=tablist], [role=tree]'

/**
 * Calls a function when a person types a single character, such as `d` or `?`. Does nothing if the person
 * turned shortcuts off, in form fields and widgets that use keys, and with Ctrl, Alt or Meta. Throws for
 * every other key, because arrows, Space and Page Down scroll.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  for (const key of Object.keys(keys)) {
    if (key.length !== 1 || key === ' ')
      throw new Error(`useKeys takes single characters: "${key}" belongs to the browser`)
  }
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const pressed = (event: PageEvent) => {
      if (!isOn || event.defaultPrevented || event.isComposing) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target.closest?.(ownKeys)) return
      const work = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (!work) return
      event.preventDefault()
      work()
    }
    browser.document.addEventListener('keydown', pressed)
    return () => browser.document.removeEventListener('keydown', pressed)
  }, [])
}
