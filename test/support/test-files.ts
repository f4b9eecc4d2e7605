import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { coveredPaths } from './covered-paths'

/** What a test file occupies besides its own process. */
export type Resource = 'browser' | 'programs' | 'processes' | 'chDB' | 'MongoDB'

/** The signs of each resource: modules that a test file imports, directly or not, and words in the file itself. */
const signs: Readonly<Record<Resource, { readonly modules: readonly string[]; readonly words: RegExp }>> = {
  browser: {
    modules: ['test/support/chromium.ts'],
    words: /With\('chromium'/,
  },
  programs: {
    modules: [
      'test/support/nginx.ts',
      'test/support/wordpress.ts',
      'test/support/set-up-pages.ts',
      'test/support/roads.ts',
    ],
    words: /(?:test|describe)With\('(?!chromium|MongoDB|golden|a long|whole)/,
  },
  processes: {
    modules: [
      'product',
      'ingest-process',
      'clickhouse-process',
      'clients',
      'stored',
      'conformance-suite',
    ].map((name) => `test/support/${name}.ts`),
    words: /\bBun\.(spawn|spawnSync|\$`)|\bnew Worker\(/,
  },
  chDB: {
    modules: ['test/support/chdb.ts', 'test/support/clickhouse-front.ts'],
    words: /\bopenColumns\(|\brunCli\(/,
  },
  MongoDB: { modules: ['test/support/mongo.ts'], words: /With\([^)]*'MongoDB'/ },
}

/** `needs.ts` can install the clients, but a file that imports it starts nothing by that. */
const notFollowed = ['test/support/needs.ts']

/**
 * Files that must not share the machine, each with the reason. They run one after another when all others have ended.
 * Prefer to make a test independent of the speed of the machine.
 */
export const alone: Readonly<Record<string, string>> = {
  'test/growth.test.ts': 'compares processor time of texts of two sizes',
}

/** A file that takes longer than this is left out of the fast run. A hundred files decide half of the time of all. */
const fastSeconds = 0.25

const secondsFile = 'test/seconds.json'

/**
 * Seconds that test files take, with the time in which they only wait: those of at least 0.2. `bun test/run.ts --keep-seconds` measures
 * them again. A file that is not listed counts as short.
 */
export const readSeconds = (root: string): Readonly<Record<string, number>> =>
  existsSync(join(root, secondsFile)) ? JSON.parse(readFileSync(join(root, secondsFile), 'utf8')) : {}

/** Writes the seconds of the files that ran beside those of the others, as far as these still exist. */
export function keepSeconds(root: string, measured: Readonly<Record<string, number>>): void {
  const all: Record<string, number> = { ...readSeconds(root), ...measured }
  const kept = testFiles(root).flatMap((file) => {
    const seconds = Math.round((all[file] ?? 0) * 10) / 10
    return seconds < 0.2 ? [] : [[file, seconds] as const]
  })
  writeFileSync(join(root, secondsFile), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}

/** Every test file of the tree, as `bun test` finds them. */
export function testFiles(root: string): string[] {
  const glob = new Bun.Glob('{test,examples,core,ingest,plugins}/**/*.test.{ts,tsx}')
  return [...glob.scanSync({ cwd: root })].filter((file) => !file.includes('node_modules')).sort()
}

/** What a test file occupies, read from the file and from the test modules that it imports. */
export function resourcesOf(root: string, file: string): Resource[] {
  const modules = closure(root, file)
  const text = readFileSync(join(root, file), 'utf8')
  return (Object.keys(signs) as Resource[]).filter(
    (resource) =>
      signs[resource].words.test(text) || signs[resource].modules.some((module) => modules.has(module)),
  )
}

/** Whether the fast run takes the file: it is short, and occupies nothing but its process. MongoDB is skipped there. */
export const isFast = (root: string, file: string, seconds = readSeconds(root)): boolean =>
  !(file in coveredPaths) &&
  (seconds[file] ?? 0) < fastSeconds &&
  resourcesOf(root, file).every((resource) => resource === 'MongoDB')

/**
 * About how many seconds a file takes, for the order in which files start when no earlier run is known. A file with a browser or
 * processes waits for most of its time, so it must not start last.
 */
export const guessedSeconds = (root: string, file: string, seconds = readSeconds(root)): number =>
  seconds[file] ?? (resourcesOf(root, file).some((resource) => resource !== 'MongoDB') ? 6 : 0.1)

/** The test modules that a test file imports, directly or not, itself included. */
export const testModules = (root: string, file: string): readonly string[] => [...closure(root, file)]

function closure(root: string, file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  if (notFollowed.includes(file)) return seen
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, specifier = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)) {
    const target = normalize(join(dirname(file), specifier))
    if (!target.startsWith('test/')) continue
    const found = [`${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((each) =>
      existsSync(join(root, each)),
    )
    if (found) closure(root, found, seen)
  }
  return seen
}
