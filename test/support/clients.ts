import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const declared = join(import.meta.dir, 'clients')
const cache = join(import.meta.dir, '../../node_modules/.cache/test-clients')
const manifests = ['package.json', 'bun.lock']

/** Clients of others, started as their users start them. */
export type ClientName = 'conformance' | 'mcp-inspector' | 'mcp-remote'

/** What a client wrote, and how it ended. */
export interface ClientRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * The command that starts a client; null where it could not be installed. They are kept out of `node_modules`, which whoever only
 * starts the product installs as well: the first test that wants one puts them into a cache beside it, as `clients/bun.lock` says.
 */
export async function clientCommand(name: ClientName): Promise<string[] | null> {
  installed ??= install()
  const folder = await installed
  if (!folder) return null
  return [process.execPath, '--bun', join(folder, 'node_modules/.bin', name)]
}

let installed: Promise<string | null> | undefined

async function install(): Promise<string | null> {
  const texts = manifests.map((name) => readFileSync(join(declared, name), 'utf8'))
  const folder = join(cache, Bun.hash(texts.join()).toString(36))
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'fresh-'))
  for (const [place, name] of manifests.entries()) await Bun.write(join(fresh, name), texts[place] ?? '')
  const { code, stderr } = await runProgram(
    [process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts'],
    { cwd: fresh, env: { ...process.env }, timeoutMs: 120_000 },
  )
  // Another test process may have been first.
  if (code === 0 && !existsSync(folder)) renameSync(fresh, folder)
  rmSync(fresh, { recursive: true, force: true })
  if (existsSync(folder)) return folder
  console.warn(`\n!! The clients of others could not be installed: ${stderr.trim().slice(-500)}\n`)
  return null
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly timeoutMs?: number
}

/** Runs a program to its end, without the environment of the tests. */
export async function runProgram(
  command: string[],
  { cwd, env = {}, timeoutMs = 60_000 }: RunOptions = {},
): Promise<ClientRun> {
  const child = Bun.spawn(command, {
    ...(cwd ? { cwd } : {}),
    env: { PATH: process.env.PATH ?? '', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: timeoutMs,
  })
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, stdout, stderr }
}
