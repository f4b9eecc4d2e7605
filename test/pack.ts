import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/**
 * Packs the product with declarations of its types: `bun run pack [folder]`. The sources import each other
 * without file extensions, which `moduleResolution: NodeNext` rejects, so the tarball has declarations too.
 */

type Door = string | { readonly types?: string; readonly default: string }
interface Manifest {
  readonly version: string
  exports: Record<string, Door>
}

const root = join(import.meta.dir, '..')
const typesFolder = 'types'
/** Returns the path of the tarball. */
async function pack(stage: string, destination: string): Promise<string> {
  const manifest = (await Bun.file(join(root, 'package.json')).json()) as Manifest
  const name = `renown-${manifest.version}.tgz`
  run(root, process.execPath, 'pm', 'pack', '--quiet', '--destination', stage)
  run(stage, 'tar', '-xzf', name)
  const product = join(stage, 'package')
  const packed = Bun.file(join(product, 'package.json'))
  const shipped = (await packed.json()) as Manifest
  await emitDeclarations(product, shipped)
  shipped.exports = withTypes(shipped.exports)
  await Bun.write(packed, `${JSON.stringify(shipped, null, 2)}\n`)
  run(stage, 'tar', '-czf', name, 'package')
  cpSync(join(stage, name), join(destination, name))
  return join(destination, name)
}

/**
 * Writes the declarations of everything that the doors reach into a folder of the package. Does not check the types of the
 * sources: `bun run check` does.
 */
async function emitDeclarations(product: string, { exports }: Manifest): Promise<void> {
  const { compilerOptions } = await Bun.file(join(root, 'tsconfig.json')).json()
  const emit = { noEmit: false, noCheck: true, declaration: true, emitDeclarationOnly: true }
  const project = join(product, 'tsconfig.json')
  await Bun.write(
    project,
    JSON.stringify({
      compilerOptions: { ...compilerOptions, ...emit, outDir: typesFolder, rootDir: '.' },
      files: sourcesOf(exports),
    }),
  )
  const modules = join(product, 'node_modules')
  symlinkSync(join(root, 'node_modules'), modules)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  run(product, process.execPath, tsc, '--checkers', '1', '-p', project)
  rmSync(modules)
  rmSync(project)
  for (const path of [...new Bun.Glob('{core,ingest,plugins,test}/**/*.d.ts').scanSync(product)])
    cpSync(join(product, path), join(product, typesFolder, path))
  const doors = new Set(sourcesOf(exports).map(declarationOf))
  for (const path of new Bun.Glob(`${typesFolder}/**/*.d.ts`).scanSync(product)) {
    const file = Bun.file(join(product, path))
    const text = withExtensions(await file.text(), join(product, path))
    // The compiler drops this line of the sources.
    await Bun.write(file, doors.has(`./${path}`) ? `/// <reference types="bun-types" />\n${text}` : text)
  }
}

const sourcesOf = (exports: Manifest['exports']) =>
  Object.values(exports).filter((door): door is string => typeof door === 'string')

/** Returns the path of a source's declarations, both relative to the package. */
const declarationOf = (source: string) =>
  `./${typesFolder}/${source.slice('./'.length).replace(/(\.d)?\.tsx?$/, '.d.ts')}`

const withTypes = (exports: Manifest['exports']): Manifest['exports'] =>
  Object.fromEntries(
    Object.entries(exports).map(([name, door]) => {
      const { types, default: source } = typeof door === 'string' ? { types: door, default: door } : door
      return [name, { types: declarationOf(types ?? source), default: source }]
    }),
  )

/** Adds file extensions to the relative imports of a declaration file. Throws if an import leads nowhere. */
function withExtensions(text: string, path: string): string {
  return text.replace(relativeImport, (_, before: string, specifier: string, after: string) => {
    const target = join(dirname(path), specifier)
    const ending = ['.js', '/index.js', ''].find((one) =>
      existsSync(`${target}${one}`.replace(/\.js$/, '.d.ts')),
    )
    if (ending === undefined || (ending === '' && !specifier.endsWith('.js')))
      throw new Error(`${path} imports ${specifier}, which has no declarations`)
    return `${before}${specifier}${ending}${after}`
  })
}

const relativeImport = /((?:\bfrom |\bimport |\bimport\()["'])(\.{1,2}(?:\/[^"']*)?)(["'])/g

/** Runs a program. Throws with its output if it fails. */
function run(cwd: string, ...command: string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`)
}

const stage = mkdtempSync(join(tmpdir(), 'renown-pack-'))
try {
  console.log(await pack(stage, resolve(Bun.argv[2] ?? '.')))
} finally {
  rmSync(stage, { recursive: true, force: true })
}
