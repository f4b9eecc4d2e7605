import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** The product as it is shipped, in a folder outside the repository. */
export interface PackedProduct {
  readonly folder: string
  readonly tarball: string
}

/** Packs the product as `bun run pack` does. Leaves out declarations unless asked, because they take seconds. */
export function packProduct({ withTypes = false } = {}): PackedProduct {
  const folder = mkdtempSync(join(tmpdir(), 'renown-packed-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  run(root, withTypes ? ['test/pack.ts', folder] : ['pm', 'pack', '--quiet', '--destination', folder])
  const tarball = join(folder, 'renown-1.0.0.tgz')
  if (!existsSync(tarball)) throw new Error(`Packing did not write ${tarball}`)
  return { folder, tarball }
}

/** Runs bun in a folder, and returns what it printed. Throws when it fails. */
export function run(cwd: string, words: readonly string[], env: Record<string, string> = {}): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, ...words], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    timeout: 180_000,
  })
  const text = `${stdout}${stderr}`
  if (exitCode !== 0) throw new Error(`bun ${words.join(' ')} ended with ${exitCode}:\n${text.slice(-2_000)}`)
  return text
}

/** Runs bun with packages from its cache where they are there, and from the registry where not. */
export function install(cwd: string, words: readonly string[]): void {
  try {
    run(cwd, [...words, '--offline'])
  } catch {
    run(cwd, words)
  }
}

let canInstall: boolean | undefined

/** Whether packages of the product can be installed into another folder, from the cache of bun or from a registry. Tried once. */
export function packagesAreThere(): boolean {
  canInstall ??= tryInstall()
  return canInstall
}

function tryInstall(): boolean {
  const { folder, tarball } = packProduct()
  const tried = join(folder, 'tried')
  mkdirSync(tried)
  try {
    install(tried, ['add', '--silent', tarball])
    return true
  } catch (error) {
    console.warn(`\n!! The packed product could not be installed: ${String(error).slice(-500)}\n`)
    return false
  } finally {
    rmSync(tried, { recursive: true, force: true })
  }
}
