/**
 * The messages between an app and the chat that shows it: JSON-RPC over `postMessage`, as MCP Apps (revision 2026-01-26)
 * says. An app starts few kinds of messages, all of them here.
 */

/** What a chat says about itself. All of it may be missing. */
export interface HostContext {
  readonly theme?: unknown
  readonly styles?: { readonly variables?: Readonly<Record<string, unknown>> }
  readonly timeZone?: unknown
  readonly safeAreaInsets?: Readonly<Record<'top' | 'right' | 'bottom' | 'left', unknown>>
}

/** What a chat lets its apps do. */
export interface HostCapabilities {
  readonly serverTools?: object
  readonly openLinks?: object
}

/** What an app hears from the chat. */
export interface HostEvents {
  context(changed: HostContext): void
  input(args: Readonly<Record<string, unknown>>): void
  result(result: unknown): void
  cancelled(): void
}

/** The parts of a browser window that the messages need. */
export interface MessageWindow {
  readonly parent: { postMessage(message: unknown, target: '*'): void }
  addEventListener(
    type: 'message',
    heard: (event: { readonly source: unknown; readonly data: unknown }) => void,
  ): void
}

interface Message {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message?: unknown }
}

interface Started {
  readonly context: HostContext
  readonly capabilities: HostCapabilities
}

export interface HostBridge {
  /** Shakes hands. Throws an Error if the chat refuses. */
  start(app: { readonly name: string; readonly version: string }): Promise<Started>
  /** Calls the tool through the chat. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<unknown>
  openLink(url: string): Promise<unknown>
  resized(width: number, height: number): void
}

const revision = '2026-01-26'

/** Listens to the chat. Messages of other windows are ignored. */
export function bridgeTo(window: MessageWindow, events: HostEvents): HostBridge {
  const pending = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  const send = (message: object) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const notify = (method: string, params: object = {}) => send({ method, params })
  let last = 0
  const ask = (method: string, params: object) =>
    new Promise<unknown>((resolve, reject) => {
      last += 1
      pending.set(last, { resolve, reject })
      send({ id: last, method, params })
    })
  const answered = ({ id, result, error }: Message) => {
    const waiting = pending.get(Number(id))
    pending.delete(Number(id))
    if (error) waiting?.reject(new Error(String(error.message ?? 'refused').slice(0, 300)))
    else waiting?.resolve(result)
  }
  const asked = ({ id, method }: Message) => {
    const isKnown = method === 'ping' || method === 'ui/resource-teardown'
    send({ id, ...(isKnown ? { result: {} } : { error: { code: -32601, message: 'Method not found' } }) })
  }
  const heard: Readonly<Record<string, (params: object) => void>> = {
    'ui/notifications/tool-input': (params) =>
      events.input(objectIn((params as { arguments?: unknown }).arguments)),
    'ui/notifications/tool-result': (params) => events.result(params),
    'ui/notifications/tool-cancelled': () => events.cancelled(),
    'ui/notifications/host-context-changed': (params) => events.context(params),
  }
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent) return
    const message = objectIn(data) as Message
    if (message.jsonrpc !== '2.0') return
    if (typeof message.method !== 'string') answered(message)
    else if (message.id !== undefined) asked(message)
    else heard[message.method]?.(objectIn(message.params))
  })
  return {
    async start(app) {
      const appCapabilities = { availableDisplayModes: ['inline', 'fullscreen'] }
      const params = { appInfo: app, appCapabilities, protocolVersion: revision }
      const result = objectIn(await ask('ui/initialize', params))
      notify('ui/notifications/initialized')
      return {
        context: objectIn(result.hostContext),
        capabilities: objectIn(result.hostCapabilities) as HostCapabilities,
      }
    },
    call: (name, args) => ask('tools/call', { name, arguments: args }),
    openLink: (url) => ask('ui/open-link', { url }),
    resized: (width, height) => notify('ui/notifications/size-changed', { width, height }),
  }
}

const objectIn = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
