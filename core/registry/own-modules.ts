import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plugin } from 'bun'

const root = join(import.meta.dir, '../..')

/**
 * Module names that code of a plugin may import, and their files. `renown/web` is not among them, because pages are
 * built separately.
 */
function served(): [string, string][] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { readonly default: string }>
  }
  return Object.entries(manifest.exports)
    .filter(([path]) => !/^\.\/(?:web|testing)(?:\/|$)/.test(path))
    .map(([path, entry]) => [path, typeof entry === 'string' ? entry : entry.default])
}

let isServing = false

/**
 * Makes `import 'renown'` in a plugin load the running product, wherever the plugin's folder is. A plugin
 * needs no copy of the product, and a copy in its folder is not loaded. Idempotent.
 */
export function serveOwnModules(): void {
  if (isServing) return
  isServing = true
  plugin({
    name: 'renown',
    setup(building) {
      for (const [path, file] of served())
        building.module(`renown${path.slice(1)}`, async () => ({
          exports: await import(join(root, file)),
          loader: 'object',
        }))
    },
  })
}
