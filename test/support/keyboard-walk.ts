import type { Page } from 'playwright-core'

/** What a walk with Tab over a page found. */
export interface Walk {
  /** Faults in words. */
  readonly faults: readonly string[]
  /** Number of elements that had the focus. */
  readonly stops: number
}

/**
 * Presses Tab from the top of a page until the focus leaves it. Each stop must be visible, show that it has the focus,
 * and come after the stop before it. Elements with the focus must not take the arrow keys unless they have keys of
 * their own.
 */
export async function walkWithTab(page: Page): Promise<Walk> {
  const count = Number(await page.evaluate(prepare))
  // Two more than there are: from the last stop, the focus leaves the page and comes back to the first.
  for (let press = 0; press < count + 2; press++) await page.keyboard.press('Tab')
  return (await page.evaluate(report)) as Walk
}

/** Records each stop. Returns how many elements the page offers to the Tab key. */
const prepare = `(() => {
  // A page can give the focus to a field. The walk begins above it.
  document.documentElement.tabIndex = -1
  document.documentElement.focus()
  document.documentElement.removeAttribute('tabindex')
  scrollTo(0, 0)
  const stops = (window.stops = [])
  const order = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { width, height, right, bottom } = element.getBoundingClientRect()
    const name = element.tagName.toLowerCase() + ' ' + (element.getAttribute('aria-label') || element.textContent || element.name || '').trim().slice(0, 40)
    stops.push({ element, name, hasRing: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1, isSeen: width > 1 && height > 1 && right > 0 && bottom > 0 })
  }
  document.addEventListener('focusin', ({ target }) => order(target))
  const tabbable = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]')]
    .filter((element) => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }))
  return tabbable.length
})()`

const report = `(() => {
  const faults = []
  const first = window.stops[0]
  if (first && !first.element.matches('.skip')) faults.push('the first stop is ' + first.name + ', not the skip link')
  const again = window.stops.findIndex(({ element }, place) => place > 0 && element === first.element)
  const stops = again < 0 ? window.stops : window.stops.slice(0, again)
  for (const [place, { element, name, hasRing, isSeen }] of stops.entries()) {
    if (!hasRing) faults.push(name + ': does not show the focus')
    if (!isSeen) faults.push(name + ': has the focus and cannot be seen')
    if (element.tabIndex > 0) faults.push(name + ': has an order of its own')
    const before = stops[place - 1]
    if (before && !(before.element.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING))
      faults.push(name + ': comes before ' + before.name + ' in the page and after it for Tab')
    const hasKeys = element.closest('input, select, textarea, [data-keys], [role=application], [role=radiogroup], [role=slider], [role=tablist]')
    for (const key of hasKeys ? [] : ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'PageDown', ' ', 'Home'].filter((key) => key !== ' ' || !element.matches('a, button, summary'))) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
      if (!element.dispatchEvent(event)) faults.push(name + ': takes the key ' + key)
    }
  }
  return { faults, stops: stops.length }
})()`
