import { fileURLToPath } from 'node:url'
import {
  type AgentApp,
  type AgentApps,
  type AppReader,
  agentApp,
  type ListedApp,
} from '../../../contracts/agent-app'
import { pageUrl } from '../../../kit/page-addresses'
import { version } from '../../../process/version'
import type { Registry } from '../../../registry/registry'
import { oneKit } from '../load-component'
import { appStyle } from './style'

const here = import.meta.dir
const root = 'ui://renown/'

/** Returns the apps of the loaded plugins. Each is built when it is read first, so that the start stays fast. */
export function createAgentApps({ extensions }: Pick<Registry, 'extensions'>): AgentApps {
  const apps = new Map(extensions(agentApp).map((app) => [`${root}${app.name}`, app]))
  const built = new Map<string, Promise<BuiltApp>>()
  return {
    listed: [...apps].map(([uri, app]) => listed(uri, app)),
    async read(uri, around) {
      const app = apps.get(uri)
      if (!app) return null
      const known = built.get(uri)
      const building = known ?? build(app)
      if (!known) {
        built.set(uri, building)
        // The next reader tries again.
        building.catch(() => built.delete(uri))
      }
      return pageOf(app, await building, around)
    },
  }
}

const listed = (uri: string, { name, title, summary, operation }: AgentApp): ListedApp => ({
  uri,
  name,
  title,
  summary,
  operation,
})

interface BuiltApp {
  readonly script: string
  readonly style: string
}

async function build(app: AgentApp): Promise<BuiltApp> {
  const entry = `${here}/app-${app.name}.ts`
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    files: {
      [entry]: `import { mountAgentApp } from ${JSON.stringify(`${here}/shell`)}
import App from ${JSON.stringify(fileURLToPath(app.module))}
mountAgentApp(App)
`,
    },
    target: 'browser',
    format: 'esm',
    minify: true,
    jsx: { development: false },
    plugins: [oneKit(false)],
  })
  const script = (await outputs[0]?.text()) ?? ''
  return { script: insideTag(script), style: `${appStyle}${app.style ?? ''}` }
}

/** Returns a script that ends no script element and begins no comment. */
const insideTag = (script: string) =>
  script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--').trim()

const hash = (text: string) => `'sha256-${new Bun.CryptoHasher('sha256').update(text).digest('base64')}'`

const linkOf = (href: string, { origin, workspaceId }: AppReader) =>
  workspaceId === null ? `${origin}${href}` : pageUrl(origin, workspaceId, href)

/** One file without any address to load. Its own policy allows only its script and its style, whatever the chat allows. */
function pageOf({ name, title, operation, href }: AgentApp, { script, style }: BuiltApp, around: AppReader) {
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`
  const facts = { name, title, tool: operation, version, link: linkOf(href, around) }
  const data = Object.entries(facts)
    .map(([key, value]) => ` data-${key}="${Bun.escapeHTML(value)}"`)
    .join('')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${Bun.escapeHTML(title)}</title><style>${style}</style></head><body><div id="app"${data}></div><script type="module">${script}</script></body></html>`
}
