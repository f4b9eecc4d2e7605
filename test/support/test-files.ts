import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** What a test file occupies besides its own process. */
export type Resource = 'browser' | 'programs' | 'processes' | 'chDB' | 'MongoDB'

/** The signs of each resource: modules that a test file imports, directly or not, and words in the file itself. */
const signs: Readonly<Record<Resource, { readonly modules: readonly string[]; readonly words: RegExp }>> = {
  browser: {
    modules: ['test/support/chromium.ts'],
    words: /With\('chromium'/,
  },
  programs: {
    modules: ['test/support/nginx.ts', 'test/support/set-up-pages.ts', 'test/support/roads.ts'],
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
    words: /\bopenColumns\(/,
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

/** Files that take about three seconds of a quiet core or more. They start first, and the fast run leaves them out. */
export const secondsOf: Readonly<Record<string, number>> = {
  'test/plugins/reviews/year.test.ts': 52,
  'test/journeys/senders-loss.test.ts': 41,
  'test/e2e/pictures.test.ts': 40,
  'test/journeys/command-line.test.ts': 25,
  'test/journeys/owner-sign-in.test.ts': 25,
  'test/journeys/separate-processes.test.ts': 25,
  'test/journeys/killed-product.test.ts': 25,
  'test/journeys/main-job.test.ts': 24,
  'test/plugins/reviews/unreadable.test.ts': 22,
  'test/plugins/reviews/mutants.test.ts': 22,
  'test/journeys/settings.test.ts': 22,
  'test/journeys/first-minutes.test.ts': 21,
  'test/journeys/install.test.ts': 20,
  'test/ingest/flush-answers.test.ts': 18,
  'test/journeys/two-ingests.test.ts': 18,
  'test/core/cli/start.test.ts': 15,
  'test/journeys/beacon-visit.test.ts': 14,
  'test/journeys/traffic-page.test.ts': 13,
  'test/journeys/senders.test.ts': 12,
  'test/core/stores/documents/differential.test.ts': 12,
  'test/core/auth/isolation.test.ts': 12,
  'test/core/http/filter-fuzz.test.ts': 11,
  'test/journeys/killed-import.test.ts': 11,
  'test/core/mcp/parity.test.ts': 10,
  'test/examples.test.ts': 10,
  'test/journeys/two-products.test.ts': 9,
  'test/growth.test.ts': 9,
  'test/core/tenancy/update-location.test.ts': 8,
  'test/core/tenancy/add-location.test.ts': 8,
  'test/core/tenancy/location-commands.test.ts': 6,
  'test/core/web/sign-in/sign-in.test.ts': 6,
  'test/core/web/settings/connect-facebook.test.ts': 6,
  'test/plugins/demo.test.ts': 4,
  'test/core/http/openapi.test.ts': 4,
  'test/core/web/settings/settings.test.ts': 3,
  'test/plugins/prospects/auditProspect.test.ts': 3,
  'test/plugins/enrichment/read-page.test.ts': 3,
  'test/plugins/reviews/sendReply.test.ts': 3,
  'test/plugins/visibility/model.test.ts': 3,
  'test/plugins/reviews/livelock.test.ts': 3,
  'test/core/http/time-limits.test.ts': 3,
  'test/core/mcp/clients.test.ts': 3,
  'test/linear.test.ts': 3,
  'test/core/connections/listing/google.test.ts': 3,
  'test/core/auth/domains/domains.test.ts': 4,
  'test/plugins/reviews/verifyReviews.test.ts': 3,
  'test/core/cli/import.test.ts': 3,
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
export const isFast = (root: string, file: string): boolean =>
  !(file in secondsOf) && resourcesOf(root, file).every((resource) => resource === 'MongoDB')

/** The test modules that a file imports, directly or not, itself included. */
function closure(root: string, file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  if (notFollowed.includes(file)) return seen
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, specifier = ''] of text.matchAll(/\bfrom\s+'(\.[^']+)'|\bimport\('(\.[^']+)'\)/g)) {
    const target = normalize(join(dirname(file), specifier))
    if (!target.startsWith('test/')) continue
    const found = [`${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((each) =>
      existsSync(join(root, each)),
    )
    if (found) closure(root, found, seen)
  }
  return seen
}
