import * as v from 'valibot'
import { defineExtensionPoint, type Extension, type ExtensionPoint } from './extension'

/** A small page that a chat shows in place of the text of an answer (MCP Apps, SEP-1865). It only reads. */
export interface AgentApp extends Extension {
  readonly title: string
  /** What it shows, in one sentence. */
  readonly summary: string
  /** The operation of class `read` of the same plugin whose answers it shows. An operation has at most one app. */
  readonly operation: string
  /** The `.tsx` file whose default export is the component: `new URL('./view.tsx', import.meta.url)`. */
  readonly module: URL
  /** Its own style rules. */
  readonly style?: string
  /** The page of the product with the same figures: a path under /app. */
  readonly href: string
}

/** Apps that chats show for the answers of tools. */
export const agentApp: ExtensionPoint<AgentApp> = defineExtensionPoint<AgentApp>({
  id: 'agents.app',
  summary: 'Small pages that chats show for the answers of tools',
  shape: {
    title: v.pipe(v.string(), v.minLength(1), v.maxLength(60)),
    summary: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
    operation: v.string(),
    module: v.instance(URL),
    style: v.optional(v.string()),
    href: v.pipe(v.string(), v.startsWith('/app/'), v.maxLength(200)),
  },
})

/** The media type of the page of an app. */
export const appMediaType = 'text/html;profile=mcp-app'

/** An app as clients list it. */
export interface ListedApp {
  /** Such as `ui://renown/review-inbox`. */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly operation: string
}

/** Where an app is read. */
export interface AppReader {
  /** The public address of the product. */
  readonly origin: string
  /** The workspace of the connection. Null if it has several. */
  readonly workspaceId: string | null
}

/** The apps of the loaded plugins. */
export interface AgentApps {
  readonly listed: readonly ListedApp[]
  /** Returns the page of an app for a host, in one file. Null if there is no such app. */
  read(uri: string, around: AppReader): Promise<string | null>
}
