import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BunPlugin } from 'bun'
import type { PageCardProps, PageProps } from '../kit/browser/page-props'
import type { JSX } from '../kit/jsx/jsx-runtime'

/** The default export of a page's module. */
export type PageComponent = (props: PageProps<unknown>) => JSX.Element

/** The default export of a card's module. */
export type CardComponent = (props: PageCardProps<unknown>) => JSX.Element | null

const kit = join(import.meta.dir, '../kit')
const own: Readonly<Record<string, string>> = {
  'renown/web': 'client/index.ts',
  'renown/web/jsx-runtime': 'jsx/jsx-runtime.js',
  'renown/web/jsx-dev-runtime': 'jsx/jsx-dev-runtime.js',
}

/**
 * Makes all pages use this copy of the library, even if a plugin brings another, because two copies do not share
 * hooks. Server code never gets into a page.
 */
export const oneKit = (external: boolean): BunPlugin => ({
  name: 'one kit',
  setup(building) {
    building.onResolve({ filter: /^renown(\/|$)/ }, ({ path, importer }) => {
      const file = own[path]
      if (file !== undefined) return { path: `${kit}/${file}`, external }
      throw new Error(`${importer} imports ${path}. A page can import renown/web, and only types from renown`)
    })
  },
})

/** Returns the component of a page or a card, for the server. */
export async function loadComponent(module: URL): Promise<PageComponent & CardComponent> {
  const address = isOurs(fileURLToPath(module)) ? module.href : await rebuilt(fileURLToPath(module))
  const { default: component } = (await import(address)) as {
    default?: PageComponent & CardComponent
  }
  if (typeof component === 'function') return component
  throw new Error('its module has no component as its default export')
}

/** Whether the file imports this copy of the product. */
function isOurs(file: string): boolean {
  try {
    return (
      realpathSync(Bun.resolveSync('renown/web', dirname(file))) === realpathSync(`${kit}/client/index.ts`)
    )
  } catch {
    return false
  }
}

async function rebuilt(file: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [file],
    target: 'bun',
    format: 'esm',
    jsx: { development: false },
    plugins: [oneKit(true)],
  })
  const text = (await outputs[0]?.text()) ?? ''
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
}
