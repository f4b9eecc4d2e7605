import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'

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

/**
 * Seconds of a quiet core, by the name of the file in whatever folder, of those that take about two or more. They start first, and the
 * fast run leaves them out.
 */
export const slowFiles: Readonly<Record<string, number>> = {
  'year.test.ts': 7,
  'sealed.test.ts': 25,
  'watchTrackers.test.ts': 10,
  'summedDays.test.ts': 5,
  'forward-steps.test.ts': 15,
  'keyboard.test.ts': 15,
  'sealDays.test.ts': 9,
  'killed-reply.test.ts': 14,
  'killed-post.test.ts': 8,
  'killed-webhook.test.ts': 4,
  'killed-subscription.test.ts': 6,
  'killed-poll.test.ts': 8,
  'stopped-under-load.test.ts': 9,
  'demo.test.ts': 8,
  'recomputed-reports.test.ts': 18,
  'connect-services.test.ts': 8,
  'doctor.test.ts': 8,
  'serve.test.ts': 8,
  'mcp-inspector.test.ts': 8,
  'sendPersonReply.test.ts': 6,
  'kill.test.ts': 5,
  'coverage.test.ts': 3,
  'demo-restart.test.ts': 15,
  'inbox-keys.test.ts': 4,
  'senders-loss.test.ts': 45,
  'pictures.test.ts': 110,
  'apps-in-chat.test.ts': 20,
  'command-line.test.ts': 25,
  'owner-sign-in.test.ts': 35,
  'separate-processes.test.ts': 25,
  'killed-product.test.ts': 12,
  'main-job.test.ts': 30,
  'unreadable.test.ts': 10,
  'mutants.test.ts': 10,
  'settings.test.ts': 25,
  'first-minutes.test.ts': 24,
  'install.test.ts': 22,
  'flush-answers.test.ts': 10,
  'two-ingests.test.ts': 14,
  'start.test.ts': 20,
  'beacon-visit.test.ts': 7,
  'traffic-page.test.ts': 60,
  'senders.test.ts': 12,
  'node.test.ts': 10,
  'ruby.test.ts': 8,
  'php.test.ts': 3,
  'python.test.ts': 8,
  'next.test.ts': 60,
  'differential.test.ts': 5,
  'isolation.test.ts': 15,
  'filter-fuzz.test.ts': 7,
  'killed-import.test.ts': 8,
  'killed-rounds.test.ts': 14,
  'parity.test.ts': 12,
  'argument-rules.test.ts': 5,
  'packed.test.ts': 36,
  'conformance-kit.test.ts': 9,
  'start-size.test.ts': 8,
  'examples.test.ts': 40,
  'two-products.test.ts': 9,
  'growth.test.ts': 9,
  'update-location.test.ts': 8,
  'add-location.test.ts': 8,
  'location-commands.test.ts': 6,
  'sign-in.test.ts': 6,
  'openapi.test.ts': 4,
  'auditProspect.test.ts': 3,
  'read-page.test.ts': 3,
  'sendReply.test.ts': 3,
  'model.test.ts': 3,
  'livelock.test.ts': 10,
  'time-limits.test.ts': 3,
  'clients.test.ts': 3,
  'linear.test.ts': 3,
  'listing.test.ts': 21,
  'domains.test.ts': 4,
  'verifyReviews.test.ts': 3,
  'import.test.ts': 3,
  'form-faults.test.ts': 4,
  'site-pages.test.ts': 5,
  'smtp.test.ts': 3,
  'cards.test.ts': 3,
  'rewrites.test.ts': 4,
  'publishPost.test.ts': 4,
  'newProspects.test.ts': 4,
  'near-readings.test.ts': 4,
  'dueTrials.test.ts': 10,
  'generatePostDraft.test.ts': 3,
  'profile.test.ts': 3,
  'neighbours.test.ts': 3,
  'rounds.test.ts': 3,
  'share.test.ts': 3,
  'complete-rates.test.ts': 2,
  'demo-readings.test.ts': 2,
  'replies.test.ts': 2,
  'mutation.test.ts': 2,
}

/** Seconds that a file takes, if it is one of the slow ones. */
const secondsOf = (file: string): number | undefined => slowFiles[basename(file)]

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
  secondsOf(file) === undefined && resourcesOf(root, file).every((resource) => resource === 'MongoDB')

/**
 * About how many seconds a file takes, for the order in which files start when no earlier run is known. A file with a browser or
 * processes waits for most of its time, so it must not start last.
 */
export const guessedSeconds = (root: string, file: string): number =>
  secondsOf(file) ?? (resourcesOf(root, file).some((resource) => resource !== 'MongoDB') ? 6 : 1)

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
