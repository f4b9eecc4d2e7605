/** What every start of a product goes through. */
const start = ['core/main.ts', 'core/cli/start', 'core/product', 'core/process', 'core/supervise']
const stores = ['core/stores', 'core/jobs']
const pages = ['core/web', 'core/tenancy']
/** What pages of plugins show, and the sample rows that are on them. */
const pluginPages = [
  'plugins/*/pages',
  'plugins/*/cards',
  'plugins/*/board',
  'plugins/*/install',
  'plugins/*/share',
  'plugins/*/approval',
  'plugins/*/demo',
  'core/demo',
]
const signIn = ['core/auth', 'core/requests']
const oauth = ['core/auth', 'core/requests', 'core/http', 'core/mcp']
const attempts = ['core/kit/attempts', 'core/outbound', 'core/jobs', 'core/stores/documents']
const hits = ['ingest', 'core/contracts']
const integrations = ['integrations', 'ingest/http', 'ingest/data', 'core/contracts/agent-registry.ts']

const data = ['core/kit', 'core/query', 'core/contexts', 'core/contracts', 'core/stores/documents']
/** What judges and answers reviews, with the platforms that it is tried with. */
const reviews = [
  ...data,
  'core/outbound',
  'core/jobs',
  'plugins/reviews',
  'plugins/google',
  'plugins/facebook',
]
const visibility = [...data, 'core/outbound', 'core/jobs', 'core/stores/columns', 'plugins/visibility']
const traffic = [...data, 'core/jobs', 'core/stores/columns', 'ingest/flush', 'plugins/traffic']
const enrichment = [...data, 'core/outbound', 'core/jobs', 'plugins/enrichment']
/** What a caller meets at every door. */
const doors = [
  ...data,
  'core/http',
  'core/mcp',
  'core/registry',
  'core/requests',
  'plugins/*/operations',
  'plugins/*/records',
]
const commands = ['core/cli', 'core/registry', 'core/requests', 'core/contexts', 'plugins/*/commands']
const demos = [...data, 'core/demo', 'core/registry', 'plugins/*/demo', 'plugins/*/records']
const everything = ['core', 'ingest', 'plugins']

/**
 * Test files that take long, and the paths whose change can change their outcome. A run leaves such a file out while nothing of
 * that has changed since it last passed (`test/proofs.json`). The file itself, the test modules that it imports and the packages
 * always count. `*` is any name of one folder. Name rather too many paths than too few: who changes one runs the file.
 */
export const coveredPaths: Readonly<Record<string, readonly string[]>> = {
  // Pages in a browser.
  'test/e2e/pictures.test.ts': [...start, ...pages, ...pluginPages, 'plugins/reports', 'plugins/posts'],
  'test/e2e/gallery.test.ts': ['core/web', 'core/contracts/icons.ts'],
  'test/e2e/apps-in-chat.test.ts': ['core/web', 'core/mcp', 'plugins/*/agent-app', 'plugins/*/operations'],
  'test/e2e/keyboard.test.ts': [...pages, ...pluginPages],
  'test/journeys/traffic-page.test.ts': [...start, 'core/web', 'plugins/traffic', 'core/stores/columns'],
  'test/journeys/owner-sign-in.test.ts': [...start, ...signIn, 'core/web', 'core/stores/documents'],
  'test/journeys/settings.test.ts': [...start, ...signIn, 'core/web', 'core/tenancy'],
  'test/journeys/first-minutes.test.ts': [
    ...start,
    ...signIn,
    ...pages,
    'core/demo',
    'plugins/*/setup.ts',
    'plugins/*/cards',
  ],
  'test/journeys/install.test.ts': [...start, 'core/web', 'plugins/traffic', 'ingest'],
  'test/journeys/main-job.test.ts': [...start, 'core/web', 'plugins/traffic', 'ingest', 'core/cli'],
  'test/journeys/connect-services.test.ts': [
    ...start,
    'core/web',
    'core/connections',
    'core/outbound',
    'plugins/google',
    'plugins/facebook',
  ],
  'test/journeys/connect-in-browser.test.ts': [...start, ...oauth, 'core/web'],
  'test/journeys/beacon-visit.test.ts': ['ingest', 'plugins/traffic/install'],
  'test/journeys/beacon-prerender.test.ts': [...start, 'ingest', 'plugins/traffic/install'],
  'test/journeys/inbox-keys.test.ts': ['core/web', 'plugins/*/cards'],
  // Programs of others.
  'test/journeys/senders-loss.test.ts': [...start, 'ingest', 'plugins/traffic/senders', 'docs/senders'],
  'test/journeys/senders.test.ts': ['ingest', 'plugins/traffic/senders', 'docs/senders'],
  'test/journeys/senders-ship.test.ts': ['ingest', 'ship', 'docs'],
  'test/journeys/forward-steps.test.ts': [...start, 'ingest', 'plugins/traffic', 'docs'],
  'test/journeys/forward-script.test.ts': ['ingest', 'plugins/traffic/senders', 'docs/senders'],
  'test/journeys/wordpress.test.ts': ['ingest', 'plugins/traffic/wordpress', 'plugins/traffic/senders'],
  'test/integrations/next.test.ts': integrations,
  'test/integrations/node.test.ts': integrations,
  'test/integrations/php.test.ts': integrations,
  'test/integrations/python.test.ts': integrations,
  'test/integrations/ruby.test.ts': integrations,
  // Bodies of 62 MiB, and 33 refused ones in a row.
  'test/ingest/http/held-loop.test.ts': hits,
  'test/ingest/parse/formats/senders.test.ts': [
    'ingest/parse',
    'ingest/data',
    'ingest/judge',
    'core/contracts',
  ],
  'test/journeys/mcp-inspector.test.ts': [...start, ...oauth, 'plugins/*/operations', 'core/registry'],
  'test/journeys/mcp-conformance.test.ts': [...start, ...oauth, 'core/registry'],
  'test/journeys/mcp-oauth.test.ts': [...start, ...oauth],
  'test/journeys/oauth-strict.test.ts': [...start, ...oauth],
  'test/journeys/oauth-white-label.test.ts': [...start, ...oauth],
  'test/journeys/openid-client.test.ts': [...start, ...oauth],
  'test/journeys/typescript-client.test.ts': [
    'core/http',
    'core/registry',
    'core/contracts',
    'plugins/*/operations',
    'plugins/*/records',
  ],
  'test/conformance/conformance-kit.test.ts': [...start, ...oauth, 'conformance', 'core/contexts'],
  // The package, and plugins of strangers.
  'test/packed.test.ts': [
    ...start,
    'test/pack.ts',
    'core/index.ts',
    'core/kit',
    'core/contracts',
    'examples',
  ],
  'test/start-size.test.ts': ['core', 'plugins', 'ingest'],
  'test/examples.test.ts': [
    'examples',
    'core/kit',
    'core/contracts',
    'core/registry',
    'plugins/*/contract.ts',
  ],
  // Kills.
  'test/journeys/killed-reply.test.ts': [...attempts, 'plugins/reviews', 'plugins/google'],
  'test/journeys/killed-post.test.ts': [...attempts, 'plugins/posts'],
  'test/journeys/killed-mention-reply.test.ts': [
    ...attempts,
    'plugins/leads/replies',
    'plugins/leads/sources',
  ],
  'test/journeys/killed-webhook.test.ts': [...attempts, 'plugins/webhooks', 'core/events'],
  'test/journeys/killed-subscription.test.ts': [...attempts, 'plugins/webhooks', 'core/events'],
  'test/journeys/killed-poll.test.ts': [...start, ...stores, 'core/events', 'core/http', 'core/mcp'],
  'test/journeys/killed-mail.test.ts': [...attempts, 'plugins/reports/mail', 'core/outbound/mail'],
  'test/core/stores/documents/mongo-away.test.ts': ['core/stores/documents', 'core/query', 'core/work'],
  'test/core/process/rolling-restart.test.ts': ['core/process', 'docs/OPERATING.md'],
  'test/journeys/killed-report.test.ts': [...stores, 'plugins/reports'],
  'test/journeys/killed-import.test.ts': [...start, ...stores, ...hits, 'core/cli'],
  'test/journeys/killed-inbound.test.ts': [...start, ...stores, 'plugins/leads'],
  'test/journeys/killed-ingest.test.ts': [...start, ...hits],
  'test/journeys/killed-product.test.ts': [...start, ...stores, ...hits, 'plugins/traffic/sealing'],
  'test/journeys/separate-processes.test.ts': [...start, ...stores, ...hits],
  'test/journeys/stopped-under-load.test.ts': [...start, ...stores, ...hits],
  'test/journeys/demo-restart.test.ts': [
    ...start,
    ...stores,
    'core/demo',
    'plugins/*/demo',
    'core/tenancy/demo',
  ],
  'test/journeys/two-ingests.test.ts': [...start, ...hits, 'core/stores/columns'],
  'test/journeys/two-products.test.ts': [...start, ...stores, 'core/auth'],
  'test/journeys/clickhouse-outage.test.ts': [...start, ...hits, 'core/stores/columns'],
  'test/core/jobs/crash.test.ts': stores,
  'test/core/stores/documents/crash.test.ts': ['core/stores/documents', 'core/query'],
  'test/core/tenancy/proposals/killed.test.ts': ['core/tenancy', ...stores],
  'test/plugins/visibility/runs/killed-rounds.test.ts': ['plugins/visibility', ...stores],
  'test/plugins/enrichment/kills.test.ts': ['plugins/enrichment', ...stores],
  'test/plugins/prospects/kills.test.ts': ['plugins/prospects', ...stores],
  'test/ingest/crash.test.ts': ['ingest'],
  // Answers of platforms, changed in every place.
  'test/core/outbound/unreadable.test.ts': [
    'core/outbound',
    'core/connections',
    'plugins/google',
    'plugins/facebook',
  ],
  'test/plugins/enrichment/unreadable.test.ts': [
    'core/outbound',
    'plugins/enrichment',
    'plugins/google',
    'plugins/facebook',
  ],
  'test/plugins/reviews/unreadable.test.ts': [
    'core/outbound',
    'plugins/reviews',
    'plugins/google',
    'plugins/facebook',
  ],
  'test/plugins/reviews/mutants.test.ts': [
    'core/outbound',
    'plugins/reviews',
    'plugins/google',
    'plugins/facebook',
  ],
  'test/plugins/google/listing.test.ts': ['core/outbound', 'core/connections', 'plugins/google'],
  'test/plugins/reviews/livelock.test.ts': [
    'core/outbound',
    'plugins/reviews',
    'plugins/google',
    'core/jobs',
  ],
  'test/plugins/reviews/leftOut.test.ts': [
    'core/outbound',
    'core/kit',
    'plugins/reviews',
    'plugins/google',
    'plugins/facebook',
    'plugins/places',
    'plugins/dataforseo',
  ],
  'test/journeys/killed-in-doubt.test.ts': [...attempts, 'core/kit', 'plugins/reviews', 'plugins/google'],
  'test/plugins/posts/killed-targets.test.ts': [
    ...attempts,
    'core/kit',
    'plugins/posts',
    'plugins/mastodon',
    'plugins/wordpress',
  ],
  'test/plugins/reports/recomputed-reports.test.ts': [
    'plugins/reports',
    'plugins/*/report',
    'plugins/*/demo',
    'plugins/*/sums',
    'plugins/reviews',
    'plugins/visibility',
    'plugins/traffic',
    'plugins/leads',
    'plugins/posts',
    'core/kit',
    'core/demo',
    'core/tenancy',
  ],
  'test/plugins/visibility/sums/sealed.test.ts': [
    'plugins/visibility',
    'core/stores',
    'core/kit',
    'core/query',
  ],
  'test/core/web/settings/settings.test.ts': ['core/web', ...signIn, 'core/tenancy', 'core/connections'],
  'test/core/auth/isolation.test.ts': [
    'core/auth',
    'core/contexts',
    'core/http',
    'core/mcp',
    'core/query',
    'core/registry',
    'core/stores',
    'plugins/*/operations',
    'plugins/*/records',
  ],
  // Whole command lines and starts.
  'test/core/cli/start/start.test.ts': [...start, 'core/cli'],
  'test/journeys/command-line.test.ts': [
    ...start,
    'core/cli',
    'core/auth',
    'core/tenancy',
    'plugins/traffic/sites',
    'ingest',
  ],
  'test/core/cli/doctor.test.ts': [...start, ...commands, 'core/stores', 'ingest/main.ts', 'plugins/*/*.ts'],
  'test/core/cli/plugin.test.ts': [...commands, 'core/kit', 'core/product', 'examples'],
  'test/core/cli/program.test.ts': [...commands, 'core/process', 'core/stores'],
  'test/core/cli/import/import.test.ts': [...commands, ...stores, 'core/transfer', 'core/contracts'],
  'test/journeys/readme.test.ts': [...everything, 'README.md', '.ci'],
  'test/journeys/pasted.test.ts': [...start, ...hits, 'core/cli', 'plugins/traffic', 'README.md', 'docs'],
  'test/journeys/first-run.test.ts': [...start, ...signIn, ...pages, 'core/cli', 'plugins/*/*.ts'],
  'test/journeys/demo.test.ts': [...start, ...pages, ...demos, 'core/cli'],
  'test/journeys/client-pages.test.ts': [...doors, ...oauth, 'docs/clients'],
  'test/journeys/review-sources.test.ts': [...start, ...reviews, 'core/connections', 'core/cli', 'examples'],
  'test/journeys/answer-reviews.test.ts': [...pages, ...reviews],
  // Secrets and addresses, searched for in everything that a product writes.
  'test/journeys/privacy.test.ts': everything,
  'test/journeys/secrets.test.ts': everything,
  // Questions at every door.
  'test/bench/agents/questions.test.ts': [...doors, ...demos, 'plugins/*/sums', 'test/bench/agents'],
  'test/core/mcp/parity.test.ts': [...doors, 'core/auth', 'core/demo', 'plugins/*/demo'],
  'test/core/mcp/clients.test.ts': [...doors, 'core/auth'],
  'test/core/mcp/argument-rules.test.ts': doors,
  'test/core/http/reference-doors.test.ts': [...doors, 'core/auth', 'core/tenancy', 'plugins/*/contract.ts'],
  'test/core/http/filter-fuzz.test.ts': [...doors, 'core/stores'],
  'test/core/http/proof.test.ts': [...doors, 'core/auth', 'core/stores/columns'],
  'test/core/http/openapi.test.ts': doors,
  'test/core/tenancy/record-audit.test.ts': [...doors, 'core/auth', 'core/tenancy', 'core/web'],
  'test/core/transfer/transfer.test.ts': ['core/transfer', ...stores, 'core/contracts', 'core/contexts'],
  'test/core/web/settings/data.test.ts': ['core/web', 'core/tenancy', 'core/transfer', ...stores, ...signIn],
  'test/core/web/sign-in/sign-in.test.ts': ['core/web', ...signIn, ...stores],
  'test/core/web/form-faults.test.ts': ['core/web', 'core/requests', 'core/registry', 'plugins/*/pages'],
  // The demo, row by row and page by page.
  'test/plugins/demo.test.ts': demos,
  'test/core/demo/create.test.ts': [...demos, 'core/stores'],
  'test/plugins/demo-pages.test.ts': [...demos, ...pages, ...pluginPages],
  'test/plugins/reviews/demo/demo-readings.test.ts': [...demos, ...reviews],
  // Weeks and months of work that is made up.
  'test/plugins/reviews/verify/monthWithKills.test.ts': [...reviews, 'core/stores'],
  'test/plugins/reviews/verify/verifyReviews.test.ts': [...reviews, 'core/stores'],
  'test/plugins/reviews/year.test.ts': reviews,
  'test/plugins/reviews/doubt.test.ts': reviews,
  'test/plugins/reviews/unknownValues.test.ts': reviews,
  'test/plugins/reviews/oddTexts.test.ts': [
    ...reviews,
    'plugins/places',
    'plugins/dataforseo',
    'plugins/*/contract.ts',
  ],
  'test/plugins/reviews/reply/sendPersonReply.test.ts': [...reviews, 'core/tenancy'],
  'test/plugins/reviews/reply/sendReply.test.ts': reviews,
  'test/plugins/posts/lying-targets.test.ts': [
    ...attempts,
    ...data,
    'plugins/posts',
    'plugins/mastodon',
    'plugins/wordpress',
    'plugins/bluesky',
    'plugins/facebook',
    'plugins/google',
    'plugins/linkedin',
  ],
  'test/plugins/visibility/alerts/watchTrackers.test.ts': visibility,
  'test/plugins/visibility/measure/coverage.test.ts': visibility,
  'test/plugins/visibility/runs/rounds.test.ts': visibility,
  'test/plugins/traffic/sealing/sealDays.test.ts': traffic,
  'test/plugins/traffic/sums/summedDays.test.ts': traffic,
  'test/plugins/enrichment/website/read-page.test.ts': enrichment,
  'test/plugins/enrichment/profile/profile.test.ts': enrichment,
  'test/core/stores/columns/rows.test.ts': ['core/stores/columns', 'core/query', 'core/contracts'],
  'test/ingest/flush/flusher.test.ts': [...hits, 'core/stores/columns'],
  'test/ingest/parse/formats/near-readings.test.ts': ['ingest/parse', 'ingest/data', 'core/contracts'],
  'test/mutation/kill.test.ts': ['test/mutation'],
}
