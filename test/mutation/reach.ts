import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Names by which files import the product. */
const names: Readonly<Record<string, string>> = {
  renown: 'core/doors/front.ts',
  'renown/pages': 'core/doors/pages.ts',
  'renown/records': 'core/doors/records.ts',
  'renown/sending': 'core/doors/sending.ts',
  'renown/sources': 'core/doors/sources.ts',
  'renown/statistics': 'core/doors/statistics.ts',
  'renown/traffic': 'core/doors/traffic.ts',
  'renown/contracts': 'core/contracts/index.ts',
  'renown/web': 'core/web/kit/client/index.ts',
  'renown/testing': 'test/support/index.ts',
}
const ends = ['', '.ts', '.tsx', '/index.ts']

/** Which files import each file of a checkout, or start it as a worker. */
export function importersIn(root: string): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>()
  for (const file of new Bun.Glob('{core,ingest,plugins,test,examples}/**/*.{ts,tsx}').scanSync({
    cwd: root,
  })) {
    const loader = file.endsWith('x') ? 'tsx' : 'ts'
    const text = readFileSync(join(root, file), 'utf8').replace(/^#!.*/, '')
    const imported = new Bun.Transpiler({ loader }).scanImports(text).map(({ path }) => path)
    for (const path of [...imported, ...startedBy(text)]) {
      const target = targetOf(root, file, path)
      if (!target) continue
      const known = importers.get(target) ?? new Set()
      importers.set(target, known.add(file))
    }
  }
  return importers
}

/** The workers and modules that a file names by address. */
const startedBy = (text: string) =>
  [...text.matchAll(/new URL\(\s*'(\.[^']+\.tsx?)',\s*import\.meta\.url/g)].map(([, path = '']) => path)

function targetOf(root: string, file: string, specifier: string): string | null {
  const named = names[specifier]
  if (named) return named
  if (!specifier.startsWith('.')) return null
  const base = normalize(join(dirname(file), specifier))
  return (
    ends.map((end) => `${base}${end}`).find((path) => /\.tsx?$/.test(path) && existsSync(join(root, path))) ??
    null
  )
}

/**
 * The test files that reach a file, nearest first: its mirror, then by the number of imports and folders between them.
 * Tests of pages and of whole processes come last.
 */
export function testsReaching(file: string, importers: Map<string, Set<string>>, most: number): string[] {
  const steps = new Map([[file, 0]])
  const queue = [file]
  for (let at = queue.shift(); at !== undefined; at = queue.shift())
    for (const importer of importers.get(at) ?? []) {
      if (steps.has(importer)) continue
      steps.set(importer, (steps.get(at) ?? 0) + 1)
      queue.push(importer)
    }
  const stem = file.replace(/\.tsx?$/, '')
  const rank = (test: string) => {
    if (test.replace(/\.test\.tsx?$/, '') === `test/${stem}`) return 0
    const far = steps.get(test) ?? 0
    if (test.startsWith('test/journeys/')) return 100 + far
    return far + foldersBetween(dirname(test), `test/${dirname(file)}`)
  }
  const ranked = [...steps.keys()]
    .filter((path) => /^test\/.*\.test\.tsx?$/.test(path) && !/^test\/(e2e|bench|mutation)\//.test(path))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, most)
  return [...new Set([...ranked, ...declarations.filter((test) => steps.has(test))])]
}

/** How many folders lie between two: up from the one and down to the other. */
function foldersBetween(one: string, other: string): number {
  const a = one.split('/')
  const b = other.split('/')
  const same = a.findIndex((name, at) => name !== b[at])
  const shared = same < 0 ? a.length : same
  return a.length + b.length - 2 * shared
}

/** What reads every declaration: a change of what the product declares, or of a printed page, shows there. */
const declarations = ['test/surface.test.ts', 'test/docs.test.ts']
