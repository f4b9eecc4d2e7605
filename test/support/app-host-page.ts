import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

/**
 * The page of a chat, with the official bridge: it shows an app in a sandboxed frame. The test calls its functions, and gives
 * it `callTool` and `noted`.
 */
interface Frame {
  contentWindow: Window
  sandbox: { value: string }
  style: { height: string; width: string; border: string }
  src: string
  remove(): void
}

interface ChatPage {
  readonly document: { createElement(tag: 'iframe'): Frame; body: { append(frame: Frame): void } }
  callTool(call: unknown): Promise<never>
  noted(name: string, what: unknown): void
  showApp(shown: Shown): Promise<void>
  setContext(context: Context): void
  sendResult(result: unknown): Promise<void>
}

type Window = ConstructorParameters<typeof PostMessageTransport>[0]
type Context = Parameters<AppBridge['setHostContext']>[0]

interface Shown {
  readonly src: string
  readonly context: Context
  readonly canCall: boolean
  readonly args: Record<string, unknown>
  readonly result: never
}

const page = globalThis as unknown as ChatPage
let shown: { bridge: AppBridge; frame: Frame } | null = null

page.showApp = async ({ src, context, canCall, args, result }) => {
  shown?.frame.remove()
  const frame = page.document.createElement('iframe')
  frame.sandbox.value = 'allow-scripts'
  frame.style.width = '100%'
  frame.style.height = '100px'
  frame.style.border = '0'
  const bridge = new AppBridge(
    null,
    { name: 'chat-of-the-tests', version: '1.0.0' },
    { openLinks: {}, logging: {}, ...(canCall ? { serverTools: {} } : {}) },
    { hostContext: context },
  )
  shown = { bridge, frame }
  bridge.oncalltool = (params) => page.callTool(params)
  bridge.onopenlink = async ({ url }) => {
    page.noted('link', url)
    return {}
  }
  bridge.addEventListener('sizechange', ({ height }) => {
    frame.style.height = `${height}px`
    page.noted('size', height)
  })
  const ready = new Promise<void>((resolve) =>
    bridge.addEventListener('initialized', () => {
      page.noted('app', bridge.getAppVersion()?.name)
      resolve()
    }),
  )
  page.document.body.append(frame)
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.src = src
  await ready
  await bridge.sendToolInput({ arguments: args })
  await bridge.sendToolResult(result)
}
page.setContext = (context) => shown?.bridge.setHostContext(context)
page.sendResult = async (result) => {
  await shown?.bridge.sendToolResult(result as never)
}
