/**
 * What `bun renown doctor` tells an operator to do, in one table. `test/advice.test.ts` names the test that does each: a new
 * sentence without one fails.
 */
export const advice = {
  unexpected:
    'Read the log of the product. Check that you run this as the user of the product, with the same settings.',
  readLog: 'Read the log of the running product.',
  host: 'Set RENOWN_URL to the public origin. Requests for any other host are refused.',
  folderMode: 'chmod 700 {path}',
  noInstallation: 'Run `bun start` to create it, or set RENOWN_DATA_DIR to the folder of your installation.',
  secretsKey:
    'Set SECRETS_KEY to what this prints, and keep it with every backup: echo "k1:$(openssl rand -base64 32 | tr +/ -_ | tr -d =)"',
  clock: 'Set the clock, preferably with NTP. Days, leases and address lists depend on it.',
  library: 'Run `bun install` without --omit=optional, or set CLICKHOUSE_URL to a ClickHouse server.',
  unhealthy: 'Read its log.',
  unreachable: 'Fix {setting}, or the proxy in front of it.',
  port: 'Stop the program that uses it, or set {setting} to another port.',
  damagedDocuments:
    'Stop the product. Remove documents.sqlite-wal and documents.sqlite-shm, and put a backup in the place of documents.sqlite.',
  damagedColumns:
    'Restore the whole data folder from a backup, or the server with its own tools. Then import what the access logs have since then.',
  countedTwice: 'Keep the data folder and report this error, because it must not happen.',
  doubtedList:
    'Try `bun renown range refresh`. The doubt ends when the operator publishes other addresses, or when its crawlers come from inside again.',
  oldLists:
    'Their crawlers are counted as unchecked. Try `bun renown range refresh`; without internet set RENOWN_RANGES_MIRROR.',
  refusedHits: 'Free disk space or fix ClickHouse; senders repeat what was refused.',
  shortMemory:
    'A batch that a sender repeats later is counted twice. Increase DEDUP_MAX_BYTES, or check what these sites send.',
  restarted:
    'It was started again and no hit was lost. Look in the log before that time; signal 9 without a kill of yours is the kernel, short of memory.',
  fullDisk:
    'Below DISK_FREE_BYTES_MIN hits are refused. Free some space, or stop the product and move RENOWN_DATA_DIR to a larger disk.',
  clickhouseAway: 'Start ClickHouse, or check CLICKHOUSE_URL and the network.',
  clickhouseRights: 'Fix user and password in CLICKHOUSE_URL, and its rights to INSERT and SELECT.',
  clickhouseTables: 'Start the gateway once. It creates the database and its tables.',
  clickhouseReadOnly: 'Tables are read-only. Check the disk and Keeper, then system.replicas.',
  clickhouseFull: 'ClickHouse lacks memory, disk space or merges. Give it more resources.',
  clickhouseOther: 'Search the ClickHouse log for the code.',
  clickhouseSlow:
    'ClickHouse is slower than the incoming hits, or a statement hangs. Check its load and system.processes. You can restart this process without losing hits.',
  waitsForClickhouse: 'What waits is counted once it takes hits again, and nothing twice.',
  ingestSecret: 'Give both the same RENOWN_INGEST_SECRET.',
  oldGateway: 'Update the gateway to the version of this process.',
  gatewayAway: 'Start the gateway and its documents store, or check RENOWN_URL and the network.',
  waitsForGateway:
    'What waits is counted once it answers, and nothing twice. INGEST_CLAIMS=off counts without asking.',
  setAside:
    'Their hits are not counted. The log says which and why. When the cause is gone, move the files back to ingest/segments: each is counted once. If ClickHouse refuses them again, they come back here; then report it.',
  damagedSegments:
    'What could be read of them is counted. The rest is lost, so do not move them back. Check the disk and its log, then delete the files.',
  noModelAnswer: 'Analyses and drafts are slow or fail. Try a faster model.',
  later: 'Run doctor again later.',
  modelJson: 'The model cannot answer in JSON. Set LLM_MODEL to one that can.',
  modelSettings: 'Check LLM_BASE_URL, LLM_API_KEY and LLM_MODEL.',
  mailServer: 'Check SMTP_URL and the mail server.',
  noAgency: 'Run `bun start` for the first set-up, or `bun renown agency create "Your name"`.',
  noAccount:
    'Open Settings, Connections, and connect an account. docs/owners/connect-reviews.md lists the other sources.',
  blockedLoop:
    'Requests waited during that time. Check the log of that time. If it happens without load, the machine lacks processor time or memory. Check its load and swapping.',
} as const
