import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BunPlugin } from 'bun'
import { StartError } from '../../process/start-error'
import { type Asset, assetOf, hashOf } from './assets'
import { type CardComponent, loadComponent, oneKit, type PageComponent } from './load-component'

/** A page to build, with the name of its plugin. */
export interface PageSource {
  readonly path: string
  readonly plugin: string
  readonly module: URL
  readonly style?: string | undefined
  /** True for a card. `path` is then its name. */
  readonly isCard?: true
}

/** A built page. */
export interface BuiltPage {
  /** The component for rendering on the server. */
  readonly component: PageComponent
  readonly script: string
  /** Scripts that the script imports, for preloading. */
  readonly preloads: readonly string[]
  readonly sheet: string | null
}

/** All scripts for browsers, built in memory. */
export interface Bundle {
  /** Assets by address, such as `/app/assets/x1y2z3.js`. */
  readonly assets: ReadonlyMap<string, Asset>
  /** Pages by path. */
  readonly pages: ReadonlyMap<string, BuiltPage>
  /** Components that are rendered only on the server, by the address of their module. */
  readonly components: ReadonlyMap<string, PageComponent & CardComponent>
  /** Style sheets of pages that are rendered only on the server, by path. */
  readonly sheets: ReadonlyMap<string, string>
}

/** A bundle without pages of plugins. */
export const noBundle: Bundle = {
  assets: new Map(),
  pages: new Map(),
  components: new Map(),
  sheets: new Map(),
}

const folder = '/app/assets/'
const kit = join(import.meta.dir, '../kit')

/**
 * Builds the pages, and loads those that are rendered only on the server. If some cannot be built, throws one
 * error that names them with their plugins.
 */
export async function buildBundle(
  sources: readonly PageSource[],
  statics: readonly PageSource[] = [],
): Promise<Bundle> {
  const still = await loadAll(statics)
  const loaded = statics.flatMap(({ module }, place) => {
    const component = still[place]
    return component ? [[module.href, component] as const] : []
  })
  const assets = new Map<string, Asset>()
  const sheets = new Map<string, string>()
  for (const { path, style } of statics) {
    const sheet = addSheet(assets, style)
    if (sheet !== null) sheets.set(path, sheet)
  }
  if (sources.length === 0) return { ...noBundle, assets, components: new Map(loaded), sheets }
  const components = await loadAll(sources)
  const built = await build(sources)
  if (!built.success) throw await faultOf(sources)
  const imports = new Map<string, readonly string[]>()
  const scripts: string[] = []
  for (const output of built.outputs) {
    const text = await output.text()
    const address = `${folder}${output.path.replace(/^.*\//, '')}`
    assets.set(address, assetOf('text/javascript; charset=utf-8', text))
    imports.set(address, importsOf(text))
    if (output.kind === 'entry-point') scripts.push(address)
  }
  const pages = new Map<string, BuiltPage>()
  for (const [place, { path, style }] of sources.entries()) {
    const { [place]: script = '' } = scripts
    const { [place]: component } = components
    if (component)
      pages.set(path, { component, script, preloads: all(script, imports), sheet: addSheet(assets, style) })
  }
  return { assets, pages, components: new Map(loaded), sheets }
}

/**
 * Name of the entry file of a page, which exists only in this build. The order of the names is the order of the
 * output.
 */
const entryOf = (place: number) => `${kit}/client/page-${String(place).padStart(4, '0')}.ts`

function build(sources: readonly PageSource[]) {
  const mount = JSON.stringify(`${kit}/client/mount`)
  const files = Object.fromEntries(
    sources.map(({ module }, place) => [
      entryOf(place),
      `import { mount } from ${mount}\nimport Page from ${JSON.stringify(fileURLToPath(module))}\nmount(Page)\n`,
    ]),
  )
  return Bun.build({
    entrypoints: Object.keys(files),
    files,
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    naming: '[hash].[ext]',
    publicPath: folder,
    jsx: { development: false },
    plugins: [oneKit(false), noWords],
    throw: false,
  })
}

/** Keeps words out of the scripts. Each page gets those of its room and of the shared parts as data, in one language. */
const noWords: BunPlugin = {
  name: 'no words',
  setup(building) {
    building.onResolve({ filter: /\/words(\/[a-z]+)?$/i }, ({ path, importer }) => {
      if (path.endsWith('/words/en')) return { path: `${kit}/client/no-words.ts` }
      throw new Error(
        `${importer} imports ${path}. A page gets its words with useWords, and imports only their type`,
      )
    })
  },
}

async function loadAll(sources: readonly PageSource[]) {
  const loaded = await Promise.allSettled(sources.map(({ module }) => loadComponent(module)))
  const faults = loaded.flatMap((one, place) =>
    one.status === 'rejected' ? [faultText(sources[place], [one.reason])] : [],
  )
  if (faults.length > 0) throw new StartError(faults.join('\n'))
  return loaded.map((one) => (one.status === 'fulfilled' ? one.value : null))
}

/** Builds each page alone to find those that do not compile. */
async function faultOf(sources: readonly PageSource[]): Promise<StartError> {
  const alone = await Promise.all(
    sources.map(async (source) => {
      const { success, logs } = await build([source])
      return success ? [] : [faultText(source, logs)]
    }),
  )
  return new StartError(alone.flat().join('\n') || 'The pages cannot be built together.')
}

function faultText(source: PageSource | undefined, reasons: readonly unknown[]): string {
  const words = reasons.map((reason) => {
    const { message, position } = reason as { message?: string; position?: { file: string; line: number } }
    const errors = reason instanceof AggregateError ? reason.errors.map(String).join('; ') : null
    const at = position ? ` (${position.file}:${position.line})` : ''
    return `${errors ?? message ?? String(reason)}${at}`
  })
  return `${source?.isCard ? 'The card' : 'The page'} ${source?.path} of the plugin ${source?.plugin} cannot be built: ${words.join('; ')}`
}

function addSheet(assets: Map<string, Asset>, style: string | undefined): string | null {
  if (style === undefined) return null
  const address = `${folder}${hashOf(style)}.css`
  assets.set(address, assetOf('text/css; charset=utf-8', style))
  return address
}

const importsOf = (text: string) =>
  new Bun.Transpiler({ loader: 'js' })
    .scanImports(text)
    .map(({ path }) => path)
    .filter((path) => path.startsWith(folder))

/** Returns all direct and indirect imports of a script. */
function all(script: string, imports: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>()
  const visit = (address: string) => {
    for (const next of imports.get(address) ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      visit(next)
    }
  }
  visit(script)
  return [...seen]
}
