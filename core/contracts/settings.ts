import * as v from 'valibot'
import { readDeclared, type SettingDeclarations, setting } from './setting'

const port = v.pipe(v.string(), v.regex(/^\d{1,5}$/, 'a port number'), v.transform(Number), v.maxValue(65535))
const bytes = v.pipe(v.string(), v.regex(/^\d+$/, 'a number of bytes'), v.transform(Number))
const count = v.pipe(v.string(), v.regex(/^\d+$/, 'a whole number'), v.transform(Number))
const list = v.pipe(
  v.string(),
  v.transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
)

/**
 * Every setting of core: environment name, type, default, description. `docs/reference/config.md` is generated from it.
 */
export const settings = {
  PORT: setting(port, '3000', 'Port of the gateway. 0 uses any free port.'),
  INGEST_PORT: setting(port, '3001', 'Port of the ingest. 0 uses any free port.'),
  HOST: setting(v.string(), '127.0.0.1', 'IP address that both ports are bound to.'),
  RENOWN_DATA_DIR: setting(
    v.string(),
    './data',
    'Folder of the embedded stores, the journal, cached address lists and the command socket. Mode 0700.',
  ),
  RENOWN_URL: setting(
    v.string(),
    '',
    'Public origin of the gateway. Default `http://localhost:<PORT>`; https is required except on loopback.',
  ),
  RENOWN_INGEST_URL: setting(
    v.string(),
    '',
    'Public origin of the ingest. Default `http://localhost:<INGEST_PORT>`.',
  ),
  RENOWN_ROLE: setting(
    v.picklist(['all', 'gateway', 'worker']),
    'all',
    'What `bun start` runs. `gateway` answers requests and leaves jobs to workers. `worker` only works on jobs. Both need MONGODB_URI and CLICKHOUSE_URL, and run no ingest.',
  ),
  RENOWN_INGEST: setting(
    v.picklist(['on', 'off']),
    'on',
    'Whether `bun start` also runs an ingest, in a process next to the gateway. Set `off` if you run `bun ingest` elsewhere.',
  ),
  RENOWN_INGEST_SECRET: setting(
    v.string(),
    '',
    'Bearer token of the internal feeds that ingest processes read. If empty, the feeds are closed. If RENOWN_INGEST_SECRET_FILE names a file that does not exist, the first start makes it.',
  ),
  INGEST_CLAIMS: setting(
    v.picklist(['on', 'off']),
    'on',
    'Whether a batch that a sender repeats at another ingest process is counted only once. Each ingest then asks the gateway before it counts. Takes effect if RENOWN_INGEST_SECRET is set.',
  ),
  MONGODB_URI: setting(
    v.string(),
    '',
    'MongoDB for documents. If empty, Renown uses the embedded SQLite in the data folder.',
  ),
  CLICKHOUSE_URL: setting(
    v.string(),
    '',
    'ClickHouse for hits and daily rows, with user, password and database in the URL. If empty, Renown uses the embedded chDB in the data folder.',
  ),
  CLICKHOUSE_CLUSTER: setting(
    v.pipe(v.string(), v.regex(/^[\w.-]{0,64}$/, 'the name of a cluster')),
    '',
    'Name of a cluster in the `remote_servers` of that ClickHouse. Tables are then replicated and distributed.',
  ),
  RENOWN_RANGES_MIRROR: setting(
    v.string(),
    '',
    "Base URL of a mirror of the operators' address lists, with the layout `<host>/<path>`.",
  ),
  TRUSTED_PROXIES: setting(
    list,
    '',
    'Comma-separated CIDRs of trusted proxies. Renown uses their X-Forwarded-For, read from the right, and X-Forwarded-Host.',
  ),
  DNS_SERVERS: setting(
    v.pipe(
      list,
      v.check((servers) => servers.every(isServer), 'addresses, each with a port if it is not 53'),
    ),
    '',
    'Comma-separated DNS servers for outside names. If empty, Renown uses those of the machine.',
  ),
  AUDIT_KEPT_DAYS: setting(
    v.pipe(count, v.minValue(30, 'at least 30')),
    '400',
    'How many days to keep audit events about keys, connected apps, domains, people, workspaces and locations.',
  ),
  SMTP_URL: setting(
    v.pipe(v.string(), v.check(isSmtpUrl, 'smtp://user:password@host:587 or smtps://user:password@host:465')),
    '',
    'Mail server for notifications, invitations and reports: `smtp://` with STARTTLS or `smtps://`, with user and password in the URL. If empty, Renown sends no mail.',
  ),
  MAIL_FROM: setting(
    v.pipe(
      v.string(),
      v.regex(
        /^([^<>\r\n"]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+|)$/,
        'an address such as Renown <news@example.com>',
      ),
    ),
    '',
    'Sender of mail, such as `Renown <news@example.com>`. Required if SMTP_URL is set.',
  ),
  PLUGINS: setting(list, '', 'Comma-separated modules of more plugins, in addition to the built-in ones.'),
  LOG_LEVEL: setting(v.picklist(['debug', 'info', 'warn', 'error']), 'info', 'Lowest level that is logged.'),
  READ_SECONDS_MAX: setting(
    v.pipe(count, v.minValue(1, '1 to 25 seconds'), v.maxValue(25, '1 to 25 seconds')),
    '10',
    'Seconds that a request may read from the stores, including waiting, 1 to 25. After that it gets 503 `timed_out`, or 422 `filter_too_broad` if its filter examines more than 10,000 rows, and the stores stop working on it.',
  ),
  STREAMS_MAX: setting(
    v.pipe(count, v.minValue(1, 'at least 1')),
    '1000',
    'Maximum simultaneous streams of live updates to pages. If all are in use and an agency with fewer streams needs one, the agency with the most streams loses its oldest.',
  ),
  STREAMS_PER_WORKSPACE_MAX: setting(
    v.pipe(count, v.minValue(1, 'at least 1')),
    '200',
    'Maximum simultaneous streams of live updates to the pages of one workspace.',
  ),
  STREAMS_PER_PERSON_MAX: setting(
    v.pipe(count, v.minValue(1, 'at least 1')),
    '16',
    'Maximum simultaneous streams of live updates to one person, in all their browsers.',
  ),
  LIMIT_READS_PER_MINUTE: setting(count, '300', 'Reads per credential and minute.'),
  LIMIT_OPERATIONS_PER_MINUTE: setting(count, '60', 'Operations per credential and minute.'),
  LIMIT_PAGES_PER_MINUTE: setting(
    count,
    '600',
    'Pages, forms and data of pages per person and minute, kept in memory only.',
  ),
  LIMIT_AGENCY_PAGES_PER_MINUTE: setting(
    count,
    '6000',
    'Pages, forms and data of pages per agency and minute, kept in memory only.',
  ),
  LIMIT_DRAFTS_PER_MINUTE: setting(count, '20', 'Drafts per credential and minute.'),
  LIMIT_DRAFTS_PER_DAY: setting(count, '500', 'Drafts per credential and day.'),
  LIMIT_REPORTS_PER_DAY: setting(count, '50', 'Queued reports per credential and day.'),
  LIMIT_SETUPS_PER_DAY: setting(count, '20', 'First-time set-ups per credential and day.'),
  LIMIT_FAILED_AUTHENTICATION_PER_MINUTE: setting(
    count,
    '30',
    'Failed authentications per address and minute, kept in memory only.',
  ),
  LIMIT_REGISTRATIONS_PER_HOUR: setting(
    count,
    '20',
    'Apps that register themselves per address and hour, kept in memory only.',
  ),
  LIMIT_AUTHORIZATIONS_PER_15_MINUTES: setting(
    count,
    '100',
    'Requests for access by apps per address and 15 minutes, kept in memory only.',
  ),
  LIMIT_TOKENS_PER_MINUTE: setting(
    count,
    '60',
    'Requests to the token and revocation endpoints per app, address and minute, kept in memory only.',
  ),
  LIMIT_APP_DOCUMENTS_PER_MINUTE: setting(
    count,
    '10',
    'Documents of apps fetched per host and minute, kept in memory only.',
  ),
  LIMIT_INBOUND_PER_MINUTE: setting(
    count,
    '120',
    'Messages from services outside per address under /in/ and minute, kept in memory only.',
  ),
  LIMIT_PUBLIC_PER_MINUTE: setting(
    count,
    '600',
    'Requests per address under /p/ and minute, kept in memory only.',
  ),
  LIMIT_PUBLIC_PASSWORDS_PER_15_MINUTES: setting(
    count,
    '10',
    'Passwords that one network can try for one page under /p/ in 15 minutes, kept in memory only.',
  ),
  REQUEST_CPU_MS_PER_SECOND: setting(
    count,
    '100',
    'Milliseconds of processor time per second that the requests of one key, app or person may take beyond what ordinary requests take. Refused requests pay all that they took. 0 turns the limit off.',
  ),
  REQUEST_CPU_BURST_MS: setting(
    count,
    '2000',
    'Milliseconds of processor time that a key, app or person may use at once. Afterwards it is answered with 429 before its bodies are read.',
  ),
  OAUTH_ACCESS_MINUTES: setting(
    v.pipe(count, v.minValue(5, '5 to 1440 minutes'), v.maxValue(1_440, '5 to 1440 minutes')),
    '480',
    'Minutes for which an access token of an app works, 5 to 1440. Disconnecting the app ends it at once.',
  ),
  INGEST_BODY_BYTES_MAX: setting(bytes, String(16 * 2 ** 20), 'Largest batch as sent, in bytes.'),
  INGEST_INFLATED_BYTES_MAX: setting(
    bytes,
    String(64 * 2 ** 20),
    'Largest batch after decompression, in bytes.',
  ),
  INGEST_LINES_MAX: setting(count, '100000', 'Maximum lines in a batch.'),
  INGEST_LINE_MAX: setting(
    count,
    String(2 ** 16),
    'Maximum length of an access log line, in characters. Longer lines are rejected. A JSON record has its own limit of 8 MiB.',
  ),
  INGEST_LINES_PER_SECOND: setting(count, '200000', 'Lines per second that one forwarder may send.'),
  INGEST_CPU_MS_PER_SECOND: setting(
    count,
    '50',
    'Milliseconds of processor time per second that the bodies of one forwarder may take beyond what ordinary lines take. Refused bodies pay all that they took. 0 turns the limit off.',
  ),
  INGEST_CPU_BURST_MS: setting(
    count,
    '500',
    'Milliseconds of processor time that a forwarder may use at once. Afterwards it is answered with 429 before its bodies are read.',
  ),
  INGEST_BEACONS_PER_SECOND: setting(count, '200', 'Requests per second from the beacons of one site.'),
  JOURNAL_BYTES_MAX: setting(
    bytes,
    String(4 * 2 ** 30),
    'Size of the journal on disk above which batches are answered with 503.',
  ),
  DISK_FREE_BYTES_MIN: setting(
    bytes,
    String(2 ** 30),
    'Free disk space of the data folder below which batches are answered with 503. 0 turns the check off.',
  ),
  DEDUP_MAX_BYTES: setting(
    bytes,
    String(64 * 2 ** 20),
    'Memory for the ids of batches and hits of the last 24 h, which prevent double counting. When it is full, the site with the most ids loses its oldest ones.',
  ),
  SECRETS_KEY: setting(
    list,
    '',
    'Keys that encrypt stored credentials of outside services and the secrets of two-step sign-in: `<id>:<32 bytes as base64url>`, comma-separated. The first key encrypts, all keys decrypt. If empty, Renown creates a key in the data folder, but only with embedded documents. If SECRETS_KEY_FILE names a file that does not exist, the first start makes it.',
  ),
  LLM_BASE_URL: setting(
    v.string(),
    '',
    "A language model with OpenAI's chat completions, such as `https://api.openai.com/v1` or `http://127.0.0.1:11434/v1`. If empty, drafts come from templates and say so.",
  ),
  LLM_API_KEY: setting(v.string(), '', 'Bearer key of the language model, if it needs one.'),
  LLM_MODEL: setting(v.string(), '', 'Name of the model.'),
  LLM_CALLS_PER_DAY: setting(
    count,
    '1000',
    'Calls to the language model per workspace and day for drafts and due replies. An automatic reply takes two: one to write it, one to check it.',
  ),
  LLM_BACKGROUND_CALLS_PER_DAY: setting(
    count,
    '1000',
    'Calls to the language model per workspace and day for background work, such as analysing reviews. Separate, so that it does not use up the calls for replies and drafts.',
  ),
  METRICS_TOKEN: setting(
    v.string(),
    '',
    'Bearer token that `/metrics` requires on both ports. If empty, everybody who can reach a port can read it.',
  ),
  HITS_KEPT_DAYS: setting(
    v.pipe(
      count,
      v.check((days) => days === 0 || days >= 30, '0, or at least 30'),
    ),
    '0',
    'Days after which individual hits expire. Daily rows stay. Older lines cannot be imported. 0 keeps hits forever.',
  ),
  PATHS_PER_DAY_MAX: setting(
    count,
    '50000',
    'Distinct paths per site and day. Further hits are counted without their path.',
  ),
} as const

/** `192.0.2.53`, `192.0.2.53:5353` or `[2001:db8::53]:5353`. */
function isServer(text: string): boolean {
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])(?::\d{1,5})?$|^[0-9a-f]*:[0-9a-f:.]+$/i.test(text)
}

/** `smtp://` or `smtps://` with a host, and nothing after the port. */
function isSmtpUrl(text: string): boolean {
  if (text === '') return true
  const url = URL.parse(text)
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname)
}

/** The name of a setting in the environment. */
export type SettingName = keyof typeof settings
/** Every setting, read and checked. */
export type Settings = { readonly [K in SettingName]: v.InferOutput<(typeof settings)[K]['schema']> }

/** Reads the settings of core and of plugins from an environment. Throws one Error that lists every invalid setting. */
export const readSettings = (
  env: Readonly<Record<string, string | undefined>>,
  declared: SettingDeclarations = {},
): Settings => readDeclared({ ...declared, ...settings }, env)
