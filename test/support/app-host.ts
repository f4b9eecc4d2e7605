import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, FrameLocator, Page } from 'playwright-core'

/** The policy of a chat for an app that declares no address, as the specification of MCP Apps says. */
const policyOfHost =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'; base-uri 'self'"

interface HostOptions {
  readonly browser: Browser
  readonly url: URL
  readonly key: string
}

interface Look {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  /** Whether the chat lets apps call tools. */
  readonly canCall?: boolean
}

export interface AppHost {
  readonly page: Page
  readonly app: FrameLocator
  readonly client: Client
  /** Addresses that the browser asked for beside the page of the chat and the pages of apps. */
  readonly requests: string[]
  /** Links that apps opened, heights that they reported, and names that they gave. */
  readonly noted: Record<'link' | 'size' | 'app', unknown[]>
  /** Tools that apps called. */
  readonly calls: { readonly name: string; readonly arguments?: Record<string, unknown> }[]
  /** Calls a tool as the model does, and shows its app. */
  show(tool: string, args?: Record<string, unknown>, look?: Look): Promise<void>
  /** Shows another result in the open app. */
  sendResult(result: unknown): Promise<void>
  setContext(context: object): Promise<void>
  stop(): Promise<void>
}

/** Starts a chat: a client of the product that shows apps, and a page with the official bridge in Chromium. */
export async function startAppHost({ browser, url, key }: HostOptions): Promise<AppHost> {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'app-host-page.ts')],
    target: 'browser',
  })
  const script = (await built.outputs[0]?.text()) ?? ''
  const apps = new Map<string, string>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      const html = (text: string, headers = {}) =>
        new Response(text, { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })
      const app = apps.get(pathname)
      if (app !== undefined) return html(app, { 'content-security-policy': policyOfHost })
      if (pathname === '/chat.js')
        return new Response(script, { headers: { 'content-type': 'text/javascript' } })
      return html(
        '<!doctype html><link rel="icon" href="data:,"><style>body{margin:0}</style><script src="/chat.js" type="module"></script>',
      )
    },
  })
  const client = new Client(
    { name: 'chat-of-the-tests', version: '1.0.0' },
    {
      capabilities: {
        extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
      },
    },
  )
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  )
  const { tools } = await client.listTools()
  const page = await browser.newPage()
  const requests: string[] = []
  const noted: AppHost['noted'] = { link: [], size: [], app: [] }
  const calls: AppHost['calls'] = []
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    const isOurs = origin === server.url.origin && (apps.has(pathname) || /^\/(chat\.js)?$/.test(pathname))
    if (!isOurs && !request.url().startsWith('data:,')) requests.push(request.url())
  })
  await page.exposeFunction('noted', (name: keyof typeof noted, what: unknown) => noted[name].push(what))
  await page.exposeFunction('callTool', (call: AppHost['calls'][number]) => {
    calls.push(call)
    return client.callTool(call)
  })
  await page.goto(server.url.href)
  await page.waitForFunction('"showApp" in globalThis')
  return {
    page,
    app: page.frameLocator('iframe'),
    client,
    requests,
    noted,
    calls,
    async show(tool, args = {}, { width = 1280, theme = 'light', canCall = true } = {}) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: theme })
      const { ui } = (tools.find(({ name }) => name === tool)?._meta ?? {}) as {
        ui?: { resourceUri: string }
      }
      const uri = ui?.resourceUri ?? ''
      const { contents } = await client.readResource({ uri })
      const path = `/app/${encodeURIComponent(uri)}`
      apps.set(path, (contents[0] as { text: string }).text)
      const result = await client.callTool({ name: tool, arguments: args })
      await run(page, 'showApp', {
        src: path,
        args,
        result,
        canCall,
        context: { theme, timeZone: 'Europe/London', displayMode: 'inline' },
      })
    },
    sendResult: (result) => run(page, 'sendResult', result),
    setContext: (context) => run(page, 'setContext', context),
    async stop() {
      await page.close()
      await client.close()
      await server.stop(true)
    },
  }
}

const run = (page: Page, name: string, argument: unknown): Promise<void> =>
  page.evaluate(
    ([name, argument]) =>
      (globalThis as unknown as Record<string, (argument: unknown) => Promise<void>>)[String(name)]?.(
        argument,
      ),
    [name, argument] as const,
  )
