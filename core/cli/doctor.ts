import { Database } from 'bun:sqlite'
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { messageOf } from '../contracts/errors'
import type { Check, Finding } from '../contracts/self-check'
import type { IngestState } from '../contracts/traffic'
import { isLoopbackAddress } from '../kit/public-address'
import { type Config, lacksSecretsKey } from '../process/config'
import { holderOf, isDataFolder } from '../process/data-folder'
import { advice } from '../product/checks/advice'
import { diskCheck } from '../product/checks/checks'
import { journalCheck } from '../product/checks/journal-check'
import { stallCheck } from '../product/checks/stall-check'
import type { Cli } from './cli'
import { type Link, openLink } from './link'
import { printAnswer } from './print/print'
import { exitCodes, painter } from './print/terminal'

/** `bun renown doctor`: reports problems of the set-up and how to fix them. Exit code 1 if there are any. */
export function addDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description('Check the set-up and say how to fix problems')
    .addHelpText(
      'after',
      '\nExit code 1 when a check fails. Warnings leave it at 0.\n\nExample:\n  $ bun renown doctor',
    )
    .action(async () => {
      const checks = await examine(cli)
      if (cli.json()) printAnswer(cli.terminal, true, { ok: !hasFailed(checks), checks })
      else for (const check of checks) say(cli, check)
      if (hasFailed(checks)) cli.exit(exitCodes.failed)
    })
}

const hasFailed = (checks: readonly Check[]) => checks.some(({ status }) => status === 'fail')

async function examine(cli: Cli): Promise<Check[]> {
  const { config } = cli.link
  const running = await cli.connect()
  const checks: Check[] = []
  const add = async (name: string, look: () => Finding | Promise<Finding>) => {
    try {
      const finding = await look()
      checks.push({ ...finding, name })
    } catch (error) {
      const mend = advice.unexpected
      checks.push({
        name,
        status: 'fail',
        found: messageOf(error),
        mend,
      })
    }
  }
  await add('data folder', () => folderCheck(config.RENOWN_DATA_DIR))
  await add('clock', () => clockCheck(config.RENOWN_DATA_DIR, cli.now()))
  await add('hosts', () => hostsCheck(config))
  await add('secrets key', () => secretsKeyCheck(config))
  await add('embedded ClickHouse', () => chdbCheck(config))
  if (running) await addRunning(checks, add, running)
  else await addStopped(cli, checks, add)
  return checks
}

/**
 * Warns if the product listens on more than the machine itself without a configured host, because it refuses all
 * other hosts.
 */
function hostsCheck({ HOST, RENOWN_URL }: Config): Finding {
  if (RENOWN_URL !== '') return { status: 'ok', found: `answers on ${RENOWN_URL} and on verified domains` }
  const own = "RENOWN_URL is not set: answers on this machine's own names and on verified domains"
  if (isLoopbackAddress(HOST) || HOST === 'localhost') return { status: 'ok', found: own }
  const mend = advice.host
  return { status: 'warn', found: `bound to ${HOST}, but ${own} only`, mend }
}

/** Documents on a server are shared, so the key cannot be made in the data folder of one process. */
function secretsKeyCheck(config: Config): Finding {
  if (config.SECRETS_KEY.length > 0) return { status: 'ok', found: 'SECRETS_KEY encrypts stored credentials' }
  if (!lacksSecretsKey(config)) return { status: 'ok', found: 'a key in the data folder encrypts them' }
  const found = 'SECRETS_KEY is not set, so no account can be connected and two-step sign-in is off'
  return { status: 'warn', found, mend: advice.secretsKey }
}

type Add = (name: string, look: () => Finding | Promise<Finding>) => Promise<void>

async function addRunning(checks: Check[], add: Add, link: Link): Promise<void> {
  const status = await link.get<Record<string, string | number>>('/status')
  checks.push({
    name: 'product',
    status: 'ok',
    found: `runs as process ${status.pid} since ${status.started_at}`,
  })
  await add('gateway', () => healthCheck(String(status.api_url), 'RENOWN_URL'))
  await add('ingest', () => healthCheck(String(status.ingest_url), 'RENOWN_INGEST_URL'))
  checks.push(...(await link.get<Check[]>('/checks')))
}

async function addStopped(cli: Cli, checks: Check[], add: Add): Promise<void> {
  const { config } = cli.link
  if (holderOf(config.RENOWN_DATA_DIR)?.doing === 'counting')
    return addCounting(config, checks, add, cli.now())
  checks.push({ name: 'product', status: 'ok', found: 'does not run; this command opened its stores itself' })
  await add('gateway port', () => portCheck('PORT', config.HOST, config.PORT))
  await add('ingest port', () => portCheck('INGEST_PORT', config.HOST, config.INGEST_PORT))
  await add('document integrity', () => integrityCheck(config))
  if (!isDataFolder(config.RENOWN_DATA_DIR)) return
  try {
    const link = await openLink(cli.link)
    checks.push(...(await link.get<Check[]>('/checks').finally(() => link.close())))
  } catch (error) {
    const found = messageOf(error)
    checks.push({ name: 'stores', status: 'fail', found, mend: advice.unexpected })
    await add('disk space', () => diskCheck(config.RENOWN_DATA_DIR))
  }
}

async function addCounting(config: Config, checks: Check[], add: Add, now: Date): Promise<void> {
  checks.push({ name: 'product', status: 'ok', found: 'a separate ingest process holds the data folder' })
  await add('journal', async () => journalCheck(await otherState(config)))
  await add('event loop', async () => stallCheck({ ingest: (await otherState(config)).stalls }, now))
  await add('disk space', () => diskCheck(config.RENOWN_DATA_DIR))
}

/** Returns the state of a separate ingest process. It has no command socket, so its port is used. */
async function otherState({ HOST, INGEST_PORT }: Config): Promise<IngestState> {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${INGEST_PORT}/readyz`
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000) })
    return (await response.json()) as IngestState
  } catch (error) {
    throw new Error(`${url} does not answer (${messageOf(error)})`)
  }
}

function folderCheck(directory: string): Finding {
  const path = resolve(directory)
  if (!existsSync(path)) return noInstallation(`${path} does not exist`)
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  const mode = statSync(path).mode & 0o777
  if ((mode & 0o077) !== 0) {
    const mend = advice.folderMode.replace('{path}', path)
    return { status: 'fail', found: `${path} is open to other users (mode 0${mode.toString(8)})`, mend }
  }
  if (!isDataFolder(path)) return noInstallation(`${path} holds no installation`)
  return { status: 'ok', found: `${path}, mode 0${mode.toString(8)}` }
}

/**
 * Reports a missing installation. That is normal before the first start, but may also be a mistyped folder.
 */
const noInstallation = (found: string): Finding => ({
  status: 'warn',
  found,
  mend: advice.noInstallation,
})

/** Reports a clock that is behind stored data or behind the release of this version. */
function clockCheck(directory: string, now: Date): Finding {
  const pidFile = join(resolve(directory), 'renown.pid')
  const newest = existsSync(pidFile) ? statSync(pidFile).mtimeMs : 0
  const isWrong = now.getUTCFullYear() < 2026 || newest > now.getTime() + 60_000
  if (!isWrong) return { status: 'ok', found: `${now.toISOString()}` }
  const mend = advice.clock
  return { status: 'fail', found: `the clock says ${now.toISOString()}, which is in the past`, mend }
}

async function chdbCheck({ CLICKHOUSE_URL }: Config): Promise<Finding> {
  if (CLICKHOUSE_URL !== '') return { status: 'ok', found: 'not used: CLICKHOUSE_URL is set' }
  try {
    await import('chdb/connection')
  } catch (error) {
    return missing(messageOf(error))
  }
  const { platform, arch } = process
  const folder = join(dirname(Bun.resolveSync('chdb/connection', import.meta.dir)), '..', '..', '..', '@chdb')
  const prefix = `lib-${platform}-${arch}`
  const found = existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(prefix))
  return found ? { status: 'ok', found: `library for ${platform}-${arch} is there` } : missing(prefix)
}

const missing = (what: string): Finding => ({
  status: 'fail',
  found: `its library is missing (${what})`,
  mend: advice.library,
})

async function healthCheck(origin: string, setting: string): Promise<Finding> {
  try {
    const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(3_000) })
    if (response.ok) return { status: 'ok', found: `${origin} answers` }
    return { status: 'fail', found: `${origin}/healthz answers ${response.status}`, mend: advice.unhealthy }
  } catch (error) {
    const found = `${origin} cannot be reached from here (${messageOf(error)})`
    return { status: 'warn', found, mend: advice.unreachable.replace('{setting}', setting) }
  }
}

function portCheck(setting: string, hostname: string, port: number): Finding {
  if (port === 0) return { status: 'ok', found: 'any free one' }
  try {
    Bun.serve({ hostname, port, fetch: () => new Response() }).stop(true)
    return { status: 'ok', found: `${hostname}:${port} is free` }
  } catch {
    const mend = advice.port.replace('{setting}', setting)
    return { status: 'fail', found: `${hostname}:${port} is taken`, mend }
  }
}

function integrityCheck({ MONGODB_URI, RENOWN_DATA_DIR }: Config): Finding {
  const path = join(resolve(RENOWN_DATA_DIR), 'documents.sqlite')
  if (MONGODB_URI !== '') return { status: 'ok', found: 'not used: MONGODB_URI is set' }
  if (!existsSync(path)) return { status: 'ok', found: 'no documents yet' }
  const database = new Database(path, { readonly: true })
  try {
    const row = database.query<{ quick_check: string }, []>('PRAGMA quick_check(1)').get()
    if (row?.quick_check === 'ok') return { status: 'ok', found: `${path} is sound` }
    const mend = advice.damagedDocuments
    return { status: 'fail', found: `${path} is damaged: ${row?.quick_check}`, mend }
  } finally {
    database.close()
  }
}

function say({ terminal, spelling }: Cli, { name, status, found, mend }: Check): void {
  const paint = painter(terminal.outIsTerminal)
  const marks = { ok: paint('green', 'ok  '), warn: paint('yellow', 'warn'), fail: paint('red', 'FAIL') }
  terminal.out(`${marks[status]}  ${name.padEnd(20)} ${found}\n`)
  if (mend) terminal.out(`      ${' '.repeat(20)} → ${spelling(mend)}\n`)
}
