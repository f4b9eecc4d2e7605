/**
 * Pages are written with their paths, such as `/app/reviews`. The address that people see also names the workspace:
 * `/app/w/wsp_…/reviews`. So two tabs with two clients never show each other's data, and a link opens the same for everybody.
 * These functions are the only ones that know how.
 */

/** A path of the page table, and the id of the workspace that its address names. Null if it names none. */
export interface SplitAddress {
  readonly path: string
  readonly workspaceId: string | null
}

/** Returns the page and the workspace of an address. Takes only the path, without a query. */
export function splitAddress(address: string): SplitAddress {
  const [, workspaceId, rest = ''] = /^\/app\/w\/(\w{1,60})(\/.*)?$/s.exec(address) ?? []
  return workspaceId === undefined
    ? { path: address, workspaceId: null }
    : { path: `/app${rest}`, workspaceId }
}

/** What an address in a workspace begins with. */
export const baseOf = (workspaceId: string): string => `/app/w/${workspaceId}`

/** A path of the pages that names no workspace, and no file, which is the same in all of them. */
const page = /^\/app(?!\/(?:w|assets)\/)(?:[/?#]|$)/

/**
 * Returns the address of a page in the workspace that a base names. An address that already names a workspace, and one
 * outside the pages, stays as it is. So does every address with an empty base.
 */
export function addressIn(base: string, address: string): string {
  return base !== '' && page.test(address) ? `${base}${address.slice('/app'.length)}` : address
}

/** Returns the whole address of a page in a workspace, for mails, chats and everything else outside the pages. */
export const pageUrl = (origin: string, workspaceId: string, path: string): string =>
  `${origin}${addressIn(baseOf(workspaceId), path)}`

/** A page that a sentence names, such as “Check it in /app/sites.” */
const named = /(?<![\w/:.])\/app(?:\/[a-z0-9-]+)+/g

/** Returns a sentence in which every page is named by its address in the workspace that a base names. */
export const textIn = (base: string, text: string): string =>
  text.replace(named, (path) => addressIn(base, path))

/** Attributes of elements that lead to a page. */
export const leadingAttributes = ['href', 'action', 'formaction'] as const

/**
 * Such an attribute in HTML. Text cannot contain one, because quotes in it are escaped. A literal, because scripts of pages leave out
 * one that they do not use, but not a pattern that is made.
 */
const leading = / (href|action|formaction)="(\/app[^"]*)"/g

/** Returns HTML in which every link and form leads to the workspace that a base names. */
export const htmlIn = (base: string, html: string): string =>
  base === '' ? html : html.replace(leading, (_, name, address) => ` ${name}="${addressIn(base, address)}"`)
