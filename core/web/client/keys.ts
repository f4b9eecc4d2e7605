import { useEffect, useRef } from '../jsx/hooks'
import { browser, type PageEvent } from './browser'

/** Does something at single keys, such as `ArrowLeft` or `d`; never while somebody types or holds Ctrl, Alt or Meta. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const pressed = (event: PageEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
        return
      if (event.target.closest?.('input, select, textarea, [contenteditable], [data-keys]')) return
      const work = Object.hasOwn(current.current, event.key) ? current.current[event.key] : undefined
      if (!work) return
      event.preventDefault()
      work()
    }
    browser.document.addEventListener('keydown', pressed)
    return () => browser.document.removeEventListener('keydown', pressed)
  }, [])
}
