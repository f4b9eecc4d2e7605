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
 * Seconds of a quiet core of the files that take about one or more, by their path, or by their name in whatever folder. They start
 * first, and the fast run leaves them out.
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
  'killed-in-doubt.test.ts': 12,
  'leftOut.test.ts': 25,
  'doubt.test.ts': 5,
  'killed-post.test.ts': 8,
  'killed-targets.test.ts': 5,
  'lying-targets.test.ts': 6,
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
  'examples/app-reviews/index.test.ts': 2,
  'examples/guild-reviews/index.test.ts': 1,
  'test/core/auth/domains/name.test.ts': 1,
  'test/core/auth/oauth/clients/client-metadata.test.ts': 1,
  'test/core/auth/oauth/fuzz.test.ts': 1,
  'test/core/auth/people/passwords.test.ts': 1,
  'test/core/http/entities.test.ts': 1,
  'test/core/jobs/worker.test.ts': 1,
  'test/core/mcp/response-templates.test.ts': 1,
  'test/core/outbound/fetch/safe-fetch.test.ts': 1,
  'test/core/product/gateway-plugin.test.ts': 1,
  'test/core/query/parse.test.ts': 1,
  'test/core/stores/documents/mongo.test.ts': 1,
  'test/core/stores/documents/sqlite.test.ts': 1,
  'test/core/stores/documents/sqlite/reader.test.ts': 2,
  'test/core/web/inbox/sources.test.ts': 1,
  'test/core/web/routes.test.ts': 1,
  'test/core/web/settings/choose-accounts.test.ts': 1,
  'test/core/web/settings/connections.test.ts': 2,
  'test/core/web/settings/members.test.ts': 2,
  'test/core/web/sign-in/confirm.test.ts': 1,
  'test/core/web/table.test.ts': 1,
  'test/ingest/count/id-set.test.ts': 1,
  'test/ingest/count/metrics.test.ts': 1,
  'test/ingest/http/dialects.test.ts': 1,
  'test/ingest/journal/segment.test.ts': 1,
  'test/ingest/overload.test.ts': 1,
  'test/ingest/parse/days.test.ts': 1,
  'test/ingest/parse/formats/edges.test.ts': 1,
  'test/ingest/parse/formats/fuzz.test.ts': 1,
  'test/ingest/parse/formats/plain-record.test.ts': 1,
  'test/ingest/parse/paths.test.ts': 2,
  'test/plugins/anthropic/claude.test.ts': 2,
  'test/plugins/billing/commands.test.ts': 1,
  'test/plugins/enrichment/work/enrichLocation.test.ts': 1,
  'test/plugins/feeds/feeds.test.ts': 1,
  'test/plugins/inactive.test.ts': 2,
  'test/plugins/leads/board/board-page.test.ts': 1,
  'test/plugins/leads/cards/lead-cards.test.ts': 1,
  'test/plugins/leads/finding/intervals.test.ts': 1,
  'test/plugins/leads/finding/readSources.test.ts': 1,
  'test/plugins/leads/gate.test.ts': 1,
  'test/plugins/leads/keywords/matcher.test.ts': 1,
  'test/plugins/leads/pages/mentions-page.test.ts': 2,
  'test/plugins/leads/pages/reply-page.test.ts': 1,
  'test/plugins/leads/pages/tracker-pages.test.ts': 1,
  'test/plugins/leads/reply-conformance.test.ts': 1,
  'test/plugins/leads/tracking/tracking.test.ts': 1,
  'test/plugins/locations/pages/one.test.ts': 1,
  'test/plugins/posts/pages/posts-pages.test.ts': 1,
  'test/plugins/proposed-changes.test.ts': 1,
  'test/plugins/reports/acts/paragraph.test.ts': 2,
  'test/plugins/reports/mail/write-mail.test.ts': 1,
  'test/plugins/reports/making/makeReport.test.ts': 2,
  'test/plugins/reports/pages/mail-pages.test.ts': 1,
  'test/plugins/reports/pages/reports.test.ts': 2,
  'test/plugins/reports/pdf/render-pdf.test.ts': 1,
  'test/plugins/reports/verify/verify-report.test.ts': 1,
  'test/plugins/reviews/analysis/analyseReview.test.ts': 1,
  'test/plugins/reviews/facebook.test.ts': 1,
  'test/plugins/reviews/pages/other-pages.test.ts': 1,
  'test/plugins/reviews/pages/reviews-page.test.ts': 1,
  'test/plugins/reviews/partial-sources.test.ts': 1,
  'test/plugins/reviews/replyFaults.test.ts': 1,
  'test/plugins/reviews/resume.test.ts': 2,
  'test/plugins/reviews/story.test.ts': 1,
  'test/plugins/reviews/sync/syncReviews.test.ts': 1,
  'test/plugins/traffic/gate.test.ts': 1,
  'test/plugins/traffic/sites/setup.test.ts': 1,
  'test/plugins/visibility/gate.test.ts': 1,
  'test/plugins/webhooks/delivery/deliver.test.ts': 1,
  'test/plugins/webhooks/pages/webhooks-page.test.ts': 1,
  'test/plugins/webhooks/subscriptions/subscribe.test.ts': 1,
  'test/support/sentences.test.ts': 1,
}

/** Seconds that a file takes, if it is one of the slow ones. */
const secondsOf = (file: string): number | undefined => slowFiles[file] ?? slowFiles[basename(file)]

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
