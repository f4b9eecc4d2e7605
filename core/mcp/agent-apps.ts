import { type AgentApps, type AppReader, appMediaType } from '../contracts/agent-app'
import type { Resources } from './resources'
import { isObject } from './sdk-request'
import type { ToolListing } from './tool'

/** The extension of the protocol for apps. */
const appsExtension = 'io.modelcontextprotocol/ui'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/**
 * Begins the session id of clients of older revisions that show apps. Only their first request says it, and Renown stores no
 * sessions, so the id itself says it from then on.
 */
const sessionPrefix = 'apps-'

/** Returns a session id for a client that shows apps, if this request is its first. */
export const sessionIdFor = (body: unknown): string | null =>
  isObject(body) &&
  body.method === 'initialize' &&
  isObject(body.params) &&
  declaresApps(body.params.capabilities)
    ? `${sessionPrefix}${crypto.randomUUID()}`
    : null

/** Returns the session id without the part that differs between clients, so that they share cached answers. */
export const sharedSessionId = (id: string | null): string | null =>
  id?.startsWith(sessionPrefix) ? sessionPrefix : id

/** Whether the client of a request shows apps: by its session id, or by what the request itself says. */
export function showsApps(sessionId: string | null, body: unknown): boolean {
  if (sessionId?.startsWith(sessionPrefix)) return true
  const meta = isObject(body) && isObject(body.params) ? body.params._meta : undefined
  return isObject(meta) && declaresApps(meta[capabilitiesKey])
}

function declaresApps(capabilities: unknown): boolean {
  const extensions = isObject(capabilities) ? capabilities.extensions : undefined
  const apps = isObject(extensions) ? extensions[appsExtension] : undefined
  return isObject(apps) && Array.isArray(apps.mimeTypes) && apps.mimeTypes.includes(appMediaType)
}

/** Adds to each tool the address of its app. */
export function withApps(listings: readonly ToolListing[], { listed }: AgentApps): ToolListing[] {
  const addresses = new Map(listed.map(({ operation, uri }) => [operation, uri]))
  return listings.map((listing) => {
    const resourceUri = addresses.get(listing.name)
    return resourceUri === undefined ? listing : { ...listing, _meta: { ui: { resourceUri } } }
  })
}

/** No address may be loaded, and none may be called. */
const locked = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
const meta = { ui: { csp: locked, prefersBorder: true } }

/** Resources with the pages of apps, which are made when they are read first. */
export interface ReadableResources {
  readonly listings: Listing[]
  read(uri: string): Promise<{ contents: (Contents & { _meta?: Record<string, unknown> })[] }>
}
type Listing = Resources['listings'][number] & { _meta?: Record<string, unknown> }
type Contents = ReturnType<Resources['read']>['contents'][number]

/** Returns resources with the pages of apps. The list has only those of the shown tools. */
export const resourcesWithApps = (
  resources: Resources,
  apps: AgentApps,
  { shown, around }: { readonly shown: readonly ToolListing[]; around(): Promise<AppReader> },
): ReadableResources => ({
  listings: [
    ...resources.listings,
    ...apps.listed.filter(({ operation }) => shown.some(({ name }) => name === operation)).map(listingOf),
  ],
  async read(uri) {
    const text = uri.startsWith('ui:') ? await apps.read(uri, await around()) : null
    return text === null
      ? resources.read(uri)
      : { contents: [{ uri, mimeType: appMediaType, text, _meta: meta }] }
  },
})

const listingOf = ({ uri, name, title, summary }: AgentApps['listed'][number]) => ({
  uri,
  name,
  title,
  description: summary,
  mimeType: appMediaType,
  _meta: meta,
})
