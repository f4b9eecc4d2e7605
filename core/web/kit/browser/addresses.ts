import { addressIn, baseOf, leadingAttributes, splitAddress } from '../../../kit/page-addresses'
import { browser } from '../jsx/browser'
import { options } from '../jsx/options'

/** Returns the address of a page in the workspace that the address of this tab names, if it names one. */
export function here(address: string): string {
  const { workspaceId } = splitAddress(browser.location.pathname)
  return workspaceId === null ? address : addressIn(baseOf(workspaceId), address)
}

/** Opens a page in the workspace of this tab. */
export const openPage = (address: string): void => browser.location.assign(here(address))

/** Makes every link and form that the page renders from now on lead to the workspace of this tab. */
export function keepWorkspace(): void {
  options.vnode = ({ type, props }) => {
    if (typeof type !== 'string') return
    const own = props as Record<string, unknown>
    for (const name of leadingAttributes) {
      const address = own[name]
      if (typeof address === 'string') own[name] = here(address)
    }
  }
}
